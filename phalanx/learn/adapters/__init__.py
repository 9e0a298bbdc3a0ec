"""Environments in the manner of other libraries: thin covers, each in a file that imports its library."""
