"""Derivatives of the step."""
