"""Acts of operators on members, games and the service; each is stored and announced.

Input: an operator's words. Output: an audit row, a letter to the person concerned, and a confirmation sentence.
"""
