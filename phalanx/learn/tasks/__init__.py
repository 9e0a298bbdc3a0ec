"""Tasks that come with Phalanx, a file each; `learn/env_table.py` lists them."""
