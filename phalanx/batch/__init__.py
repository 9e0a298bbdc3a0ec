"""Many worlds of one model: lanes of W worlds in lockstep, over threads.

State, inputs and requested outputs are ordinary arrays, world first. Everything else lives in one lane group of memory
per thread, which stays in cache: W worlds are loaded, stepped, and stored. A world's numbers depend on nothing but its
own state.
"""
