"""Glicko-2 ratings, leaderboards and reliability.

In come finished games; out go ratings with their deviations, tables, and the share of games not lost on time.
"""
