"""Hints, by rules of thumb on what the player may know."""
