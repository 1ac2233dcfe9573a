"""Glicko-2 ratings, leaderboards and reliability.

Input: finished games. Output: ratings with deviations, leaderboards, and reliability (games not lost on time).
"""
