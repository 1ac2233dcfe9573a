"""Render a game for one viewer: boards, descriptions of moves, animations and charts. Pure.

Input: a game's entries and a viewer. Output: scenes, sentences and pictures.
"""
