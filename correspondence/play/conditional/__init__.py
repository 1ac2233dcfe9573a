"""Conditional moves: lines that are played if the opponent makes the expected moves.

Input: lines in notation. Output: armed plans, their moves, and what players may read of them later.
"""
