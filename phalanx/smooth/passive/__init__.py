"""Passive forces: springs, dampers, gravity compensation, fluid, and springs that yield."""
