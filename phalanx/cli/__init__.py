"""The `phalanx` command: one file per subcommand, all of them thin.

`main` puts the commands together and makes one line of an error. What a command shows goes through `console`, its
complaints through `errors`.
"""
