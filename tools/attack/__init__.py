"""Attacks: functions that try to break the engine for some time, and tell what they found."""
