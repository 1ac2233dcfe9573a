"""One game: moves, results, offers, chat, conditional moves, analysis, and letters.

Input: a player's text and the current time. Output: rows of the record, letters, and refusals that are sentences.
"""
