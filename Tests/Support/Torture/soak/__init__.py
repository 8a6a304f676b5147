"""An hour of abuse and crashes beside ordinary clients, and what must hold throughout (scripts/torture soak)."""
