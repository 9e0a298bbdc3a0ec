"""Benchmarks: Phalanx and MuJoCo measured in turns, in one run, so that a noisy machine cannot favor either."""
