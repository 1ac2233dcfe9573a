"""Rebuilding: games are written again from players' letters, as far as signed heads prove them."""
