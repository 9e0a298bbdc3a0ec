"""Actuators: transmissions, activation dynamics, gains and biases, one file for each kind; `table.py` files them."""
