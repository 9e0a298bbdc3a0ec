"""Model files: XML to elements with typed attributes and places, defaults, file settings, and back to text."""
