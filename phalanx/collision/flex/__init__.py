"""Contacts of flexes: their vertices and elements against geoms, against each other and against themselves."""
