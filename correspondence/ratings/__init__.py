"""Glicko-2 ratings, leaderboards and reliability.

In come finished games; out go ratings with their deviation, tables and the share of deadlines kept.
"""
