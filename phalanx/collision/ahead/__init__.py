"""Speculative contacts: those that the velocities of geoms will make within the step, before they overlap."""
