"""Attacks on a server from within its limits, beside ordinary clients (scripts/test-hostile)."""
