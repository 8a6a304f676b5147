"""Crashes and faults of the disk against the built binary."""
