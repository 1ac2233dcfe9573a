"""Rules of the games for pages and letters: texts, diagrams and examples. Pure.

Input: a game and a language. Output: blocks of text and drawn diagrams. The content belongs to each game
(`Game.presentation` and its `rules.html`).
"""
