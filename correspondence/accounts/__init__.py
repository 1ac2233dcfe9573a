"""Accounts: joining, signing in, web sessions, mail preferences, blocks and mutes.

In come addresses, handles and tokens; out go persons, sessions, and the letters that confirm them.
"""
