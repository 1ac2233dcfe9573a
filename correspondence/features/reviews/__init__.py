"""Second opinions: a robot judges every move of a finished game, when somebody asks."""
