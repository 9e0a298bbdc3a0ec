"""Deformable bodies: where their vertices are, lengths of their edges, and the forces that resist deformation."""
