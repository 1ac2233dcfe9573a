"""What happens inside one game: moves, results, offers, chat, conditional moves, analysis, and the game's letters.

In come a player's text and the current time; out go rows of the record, letters, and refusals that are sentences.
"""
