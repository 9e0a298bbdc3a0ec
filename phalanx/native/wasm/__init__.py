"""Objects for browsers joined to modules. It changes no machine code, so it is not part of the keys of images."""
