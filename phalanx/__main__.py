"""`python -m phalanx` is the `phalanx` command."""

from phalanx.cli.main import app

app(prog_name="phalanx")
