"""Attacks on the engine: each module has `attack(seed, seconds)`, which gives one line for everything that it finds."""
