"""Attacks on the engine, one file for each area: `attack(seed, seconds)` returns what was found, one line each."""
