"""A game as one viewer sees it: boards, changes in words, animation and charts. Pure.

In come a game's entries and a viewer; out go scenes, sentences and pictures.
"""
