"""Sample games: a starter set of games, exercises and openings that robots played, for a new installation.

Input: the files in `data`, which `making` writes. Output: imported matches, exercises and counts of openings, each
marked as a sample. `flask samples remove` deletes them.
"""
