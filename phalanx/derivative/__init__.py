"""Derivatives of steps, of inverse dynamics and of trajectories, by state, controls and parameters of the model.

Importing it provides the methods of Data and BatchSim that are computed here.
"""

from phalanx.derivative import inverse_dynamics, linearized, parameters, transition

__all__ = ["inverse_dynamics", "linearized", "parameters", "transition"]
