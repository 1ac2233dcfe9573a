"""Incoming mail: stored, authenticated, parsed as commands, executed, answered.

In come raw messages; out go executed commands, and letters that answer.
"""
