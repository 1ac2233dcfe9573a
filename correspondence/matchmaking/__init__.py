"""How people get into a game: challenges, seeks, pairing, invitations and rematches.

In come seeks and their conditions; out go games that start, and letters to both players.
"""
