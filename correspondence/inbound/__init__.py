"""A mail from its arrival to its answer: kept, identified, read as commands, carried out, answered.

In come raw messages; out go commands that are carried out, and letters that answer.
"""
