"""The `phalanx` command: one file per subcommand, all of them thin.

`main` puts the commands together and turns an error into one line. What a command shows goes through `console`, its
complaints through `errors`.
"""
