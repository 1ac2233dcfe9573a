"""Conditional moves: lines that are played when the opponent plays the moves they expect.

Input: lines in notation. Output: armed plans, the moves they play, and what players may read of them afterwards.
"""
