"""Everything about judging a GPU kernel. Never imports Django."""
