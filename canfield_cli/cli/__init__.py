"""The ways in: the shell's commands (shell.py, at once; app.py, through Typer)."""
