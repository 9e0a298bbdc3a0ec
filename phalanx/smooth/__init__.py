"""Dynamics without constraints, stage by stage.

A stage is `name(m, d)`: it reads the Model and rows of Data that earlier stages wrote, and writes the rows that the
Data table lists under its name. Every stage runs interpreted, in one world and in lanes; none allocates or raises.
"""
