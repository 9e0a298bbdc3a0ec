"""From the fields of a Model back to MJCF: the text that compiles to the same model, whatever it was made from."""
