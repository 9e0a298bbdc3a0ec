"""The last stage: integers that follow from the tree, constants at the reference pose, length ranges."""
