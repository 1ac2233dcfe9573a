"""What somebody would try who wants more than his right: each file attacks in one way."""
