"""Sleep: trees at rest leave the simulation until something disturbs them, as MuJoCo 4.0 decides it.

`fall_asleep` decides at the end of a step which islands sleep, `wake` at its beginning which wake up, and
`awake_lists` keeps the lists that loops of all stages run over (`memory/awake.py`). Written for one world: worlds of a
model with this option are stepped one by one.
"""
