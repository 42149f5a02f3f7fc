"""Problem packages: load, validate, hash; the C prototype; inputs and the oracle."""
