"""Joints: one file for each type, with all that its motion decides.

The rest of the engine asks a joint through the tables of `table.py`: how it moves a frame, its motion axes, the next
position, its spring, its limits, what an actuator on it pulls. A joint of one coordinate (`scalar.py`) is the rule;
types with more coordinates file rows of their own. Widths and other facts are columns of `tables/joints.py`.
"""
