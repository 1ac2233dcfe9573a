"""Fairness: seeds of random draws, the players' words, and proofs by a match's record.

Input: offers and matches. Output: commitments, seals, heads and, once a match is over, its seed. The
contract is in docs/fairness.md. A seed leaves this package only for random draws, and when it is opened.
"""
