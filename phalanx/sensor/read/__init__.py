"""Readings: one file for each family of sensors, filed in `sensor/table.py` by type."""
