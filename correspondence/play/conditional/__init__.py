"""Conditional moves: lines that are played when the opponent plays what they foresee.

In come lines in notation; out go armed plans, the moves they play, and what is disclosed of them.
"""
