"""Accounts: joining, signing in, web sessions, mail preferences, blocks and mutes.

Input: addresses, handles and tokens. Output: persons, sessions and confirmation letters.
"""
