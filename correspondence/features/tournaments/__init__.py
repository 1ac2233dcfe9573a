"""Organised play: round robins, Swiss tournaments, knockouts, leagues and ladders.

Input: members' acts and the results of games. Output: games that begin, standings, letters. `formats` holds the rules
of each format as pure functions.
"""
