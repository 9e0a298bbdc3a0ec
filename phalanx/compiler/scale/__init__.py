"""Frames that scale: what is inside them, and what refers to it."""
