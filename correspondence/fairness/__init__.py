"""Fairness: the seeds that lots are drawn from, the players' words, and what a match's record can prove.

In come offers and matches with their rows; out go commitments, seals, heads and, when a match is over, its seed. The
contract is in docs/fairness.md. A seed leaves this package only to draw lots, and when it is opened.
"""
