"""The rules of the games as they are taught, on pages and in letters: words, diagrams and examples. Pure.

In come a game and a language; out go blocks of words and drawn diagrams. What is said belongs to each game
(`Game.presentation` and its `rules.html`).
"""
