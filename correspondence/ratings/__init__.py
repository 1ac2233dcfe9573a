"""Glicko-2 ratings, leaderboards and reliability.

Input: finished games. Output: ratings with deviations, leaderboards, and reliability (the share of games not lost on
time).
"""
