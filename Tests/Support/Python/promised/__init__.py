"""Clients of the protocol, its schema, and servers to talk to: shared by what attacks, compares and measures."""
