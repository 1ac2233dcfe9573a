"""Conditional moves: lines that are played when the opponent plays the moves they expect.

In come lines in notation; out go armed plans, the moves they play, and what players may read of them afterwards.
"""
