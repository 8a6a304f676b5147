"""Compares the refusals that tests saw with those that asyncapi.yaml names.

usage: refusals.py SEEN

SEEN has a line for each refusal that a test of the server saw: the request and the code. Every code that the document
names for a request of its own must be among them, or excused below.
"""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The codes of each request, as PromisedWire's tests record them.
DOCUMENTED = ROOT / "Tests" / "PromisedWireTests" / "Golden" / "request-errors.txt"

# Requests whose codes are those of others: each form of an administrator does what a request of a user does.
FORMS = {"admin"}

# Refusals that no test brings about over a connection, with the reasons.
EXCUSED = {
    ("createPromise", "promise.not-found"): "the promise goes between its creation and the answer to the same key",
    ("excuse", "promise.limit"): "needs a promise with 10,000 events, for which JoiningTests has rows",
}


def documented() -> set[tuple[str, str]]:
    """The pairs of request and code, without the codes that any request may meet."""
    lines = [line.split() for line in DOCUMENTED.read_text().splitlines()]
    common = set.intersection(*(set(codes) for request, *codes in lines))
    return {(request, code) for request, *codes in lines if request not in FORMS for code in set(codes) - common}


def main() -> int:
    seen = {tuple(line.split()) for line in pathlib.Path(sys.argv[1]).read_text().splitlines()}
    named = documented()
    faults = [f"{request} {code}: no test sees it" for request, code in sorted(named - seen - set(EXCUSED))]
    faults += [f"{request} {code}: excused, but a test sees it" for request, code in sorted(set(EXCUSED) & seen)]
    faults += [f"{request} {code}: excused, but not documented" for request, code in sorted(set(EXCUSED) - named)]
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
