"""Incoming mail: stored, authenticated, parsed as commands, executed, answered.

Input: raw messages. Output: executed commands, and letters that answer.
"""
