"""What operators do to members, games and the service: one use case for each act, every one kept and told.

Input: an operator's words. Output: a row of the audit, a letter to whom it concerns, and a sentence.
"""
