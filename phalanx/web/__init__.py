"""Worlds in the browser: the same kernels as WebAssembly, a model with its state, and a page that simulates it."""
