"""Derivatives of steps, of inverse dynamics and of trajectories, by state, controls and parameters of the model."""
