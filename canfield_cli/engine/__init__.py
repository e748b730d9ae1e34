"""The rules engine, pure: standard library only; no files, clock, terminal or hidden randomness.

Where to start: rules.py for what can be played, position.py for how, game.py for a game in
progress, notation.py for text. The names that other programs may use are in ``canfield_cli``.
"""
