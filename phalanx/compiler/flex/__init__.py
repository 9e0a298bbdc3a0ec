"""Deformable bodies: `flexcomp` expanded to plain elements, and flexes compiled to the rows of a Model."""
