"""Requests, their acknowledgements, and the data that must be there after a crash."""


class Ledger:
    """The state of things by their keys. None stands for a thing that is not there.

    An acknowledged state must be found after a crash. Of a request that the server died on, both are allowed: the state
    before, and the requested one.
    """

    def __init__(self, what):
        self.what = what
        self.known, self.asked = {}, {}
        # Keys of the things that were asked for when the server died.
        self.unanswered = []
        self.acknowledged_count = 0

    def ask(self, key, state):
        """Call this before a request that brings a thing into a state."""
        self.asked[key] = state

    def acknowledge(self, key):
        """Call this after its reply."""
        self.known.pop(key, None)
        if (state := self.asked.pop(key)) is not None:
            self.known[key] = state
        self.acknowledged_count += 1

    def forget(self, key):
        """Call this if a request was refused."""
        self.asked.pop(key, None)

    def settle(self, found, only=None):
        """Compares with what is there now, which becomes the known state. Yields a sentence for each violation.

        `found`: pairs of keys and states. `only`: the keys that were looked at; None: all.
        """
        states = {}
        for key, state in found:
            if key in states:
                yield f"{self.what} {key} is there twice"
            if state is not None:
                states[key] = state
        for key in self.known.keys() | self.asked.keys() if only is None else only:
            allowed = [self.known.get(key)] + ([self.asked[key]] if key in self.asked else [])
            if states.get(key) not in allowed:
                yield f"{self.what} {key} is {states.get(key)} instead of {' or '.join(map(str, allowed))}"
        for key in states.keys() - self.known.keys() - self.asked.keys():
            yield f"{self.what} {key} was never asked for"
        for key in list(self.asked):
            if only is None or key in only:
                if self.asked[key] is not None:
                    self.unanswered.append(key)
                del self.asked[key]
                self.known.pop(key, None)
                if key in states:
                    self.known[key] = states[key]
