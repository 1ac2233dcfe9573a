"""How people get into a game: challenges, seeks, pairing, invitations and rematches.

Input: seeks and their conditions. Output: games that start, and letters to both players.
"""
