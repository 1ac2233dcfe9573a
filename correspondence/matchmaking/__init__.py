"""How people come to a game: challenges, seeks, pairing, invitations and rematches.

In come wishes and conditions; out go games that begin, and letters to both.
"""
