"""Who a person is: joining, signing in, web sessions, mail preferences, and who is blocked or muted.

In come addresses, handles and tokens; out go persons, sessions, and the letters that confirm them.
"""
