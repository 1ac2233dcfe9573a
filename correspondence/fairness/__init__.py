"""Fairness: seeds of random draws, the players' words, and verifiable records of matches.

Input: offers and matches. Output: commitments, seals, chain heads and, once a match is over, its seed. The contract is
in docs/fairness.md. Before a match is over, its seed leaves this package only for random draws.
"""
