"""Where the time and the memory of a simulation go: stages timed one by one, contacts and iterations counted.

Nothing here is part of a step, and no step is slower for it: stages are the operations that `Data.run` offers, called
many times from Python at states that a simulation passes through, with the cost of a call taken off.
"""
