"""What happens inside one game: moves, its end, offers, chat, conditional moves, analysis, and its letters.

In come a player's words and the time; out go rows of the record, refusals in sentences, and letters.
"""
