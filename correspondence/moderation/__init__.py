"""Acts of operators on members, games and the service; each is stored and announced.

Input: an operator's words. Output: a row of the audit, a letter to whom it concerns, and a sentence.
"""
