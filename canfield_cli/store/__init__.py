"""Saves, and the files that they are kept in."""
