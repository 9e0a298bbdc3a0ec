"""Tendons: paths, wrapping, length, Jacobian, velocity and inertia."""
