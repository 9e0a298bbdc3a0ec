"""Tasks of the suite of dm_control, a file for each domain: same observations and rewards."""
