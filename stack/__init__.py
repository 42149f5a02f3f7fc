"""A whole Warpboard on one machine, as child processes: what `make demo` and the tests start.

Knows the commands and environment variables of the parts, and imports none of them.
"""
