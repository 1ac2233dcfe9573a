"""A game as one viewer sees it: boards, changes in words, animation and charts. Pure.

Input: a game's entries and a viewer. Output: scenes, sentences and pictures.
"""
