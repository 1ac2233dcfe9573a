"""Evaluations: what a robot expects of a position on the analysis board of a finished game, and its best line."""
