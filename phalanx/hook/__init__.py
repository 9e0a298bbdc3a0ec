"""Functions of the user in the step: checked, frozen, compiled, and called where the step has a place for them."""
