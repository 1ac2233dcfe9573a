"""Games of visitors with a robot: no account is needed, and joining turns the game into an ordinary one."""
