"""Evaluates opening hours with opening-hours-py, for scripts/torture opening-hours.

The library is asked for the state at the local time of each instant, without a time zone: the zone's rules come from
Python's zoneinfo, and the library's own arithmetic goes wrong in the last minute before clocks are set back.
"""

import argparse
import datetime
import json
import pathlib
import random
import sys
import zoneinfo

import opening_hours

ZONE = zoneinfo.ZoneInfo("Europe/Berlin")
COUNTRY = "DE"
SEED = 2018
FIRST, LAST = datetime.date(2018, 1, 1), datetime.date(2019, 12, 31)
LETTERS = {"open": "o", "closed": "c", "unknown": "u"}

# One or more for each part of the grammar. In one case ours differs on purpose, and has rows in OpeningStateTests: the
# library forgets the hours after midnight of a later rule, and those before a fallback, on a day that an earlier rule or
# the fallback names.
EXAMPLES = [
    "24/7", "24/7 off", "24/7; We off", "24/7; Mo 20:00-02:00 off", "open", "closed", "unknown", '"by appointment"',
    "09:00-18:00", "Mo-Fr 09:00-18:00", "mo-fr 9:00-18:00", "Mo,We,Fr 09:30-12:15", "Sa-Mo 10:00-16:00", "Mo", "Mo off",
    "Mo, We 09:00-12:00", "Mo-Fr 08:00-12:00,13:30-17:45", "Mo-Fr 08:00-12:00, 13:30-17:45", "Mo-Sa 10:00+",
    "Fr-Sa 20:00-02:00", "Th 22:00-26:00", "22:00-06:00", "Mo 10:00-10:00", "Mo 00:00-24:00", "Mo-Th 18:00-00:00",
    "Mo-Fr 09:00-18:00; Sa 10:00-14:00", "Mo-Fr 09:00-18:00; We 09:00-12:00", "Mo-Fr 09:00-18:00; Tu off",
    "Mo-Fr 09:00-18:00; Tu 12:00-13:00 off", "Mo-Fr 09:00-18:00; We unknown", 'Mo-Fr 09:00-18:00; Th unknown "call first"',
    "Mo-Fr 09:00-12:00, We 15:00-18:00", "Mo-Fr 09:00-18:00, We 12:00-13:00 unknown", "Mo 10:00-12:00, Mo",
    "Mo 09:00-18:00 unknown, Mo 12:00-14:00", "Fr 20:00-02:00; Sa off", "Fr 20:00-02:00; Sa 10:00-18:00",
    "Fr 20:00-02:00, Sa 10:00-18:00", "Fr-Sa 20:00-02:00; Su 00:00-01:00 off", "Sa 10:00-12:00; \"sometimes\"",
    "Mo-Fr 09:00-12:00 || 14:00-16:00", "Mo-Fr 09:00-12:00; We off || 14:00-16:00", "Sa off || Sa 14:00-15:00; Su 16:00-17:00",
    "Mo-Fr 10:00-12:00; We 10:00-11:00 off || 13:00-14:00", "Mo 10:00-12:00 || Tu 10:00-12:00 || unknown",
    'Mo-Fr 09:00-17:00 || "by appointment"', "Mo-Fr 09:00-17:00 open || closed",
    "Mar-Oct 09:00-18:00", "Nov-Feb 10:00-16:00", "Apr-Sep: 10:00-18:00; Oct-Mar: 10:00-16:00", "Jan,Mar,Dec Sa 10:00-12:00",
    "Oct 15-Apr 10 Sa 09:00-13:00", "Oct 15 - Apr 10: 09:00-13:00", "Mar 25-31 10:00-12:00", "Mar 3,Dec 24,Dec 31 10:00-12:00",
    "Dec 24-Jan 6 off", "10:00-18:00; Dec 24-Jan 6 off", "Feb 29 10:00-11:00", "Feb 20-Feb 29 10:00-11:00", "Apr 1-Apr 31 10:00-11:00",
    "2018 10:00-18:00", "2018 Mo 10:00-18:00", "2018-2019 Mo 10:00-18:00", "2019+ Mo 10:00-18:00", "2017,2019 Mo 10:00-18:00",
    "2018 Dec 24 10:00-12:00", "2018 Dec 20-2019 Jan 6 10:00-12:00", "2018 Dec 20-Jan 6 10:00-12:00", "2018 Mar-May 10:00-12:00",
    "2018 Mar,Nov-Dec 10:00-12:00", "2018 Mar 3,Nov 3 10:00-12:00", "Mo-Fr 09:00-12:00; We off \"moved\" || 14:00-16:00",
    "2018 Mar 10-20 10:00-12:00", "2018,2019 Mar 30 10:00-12:00", "Th[1] 15:00-19:00", "Sa[-1] 10:00-16:00", "Mo[1,3],Fr[-2] 10:00-12:00",
    "We[2-3] 10:00-12:00", "Oct Su[-1] 00:00-24:00", "Mo[5] 10:00-12:00", "PH 10:00-12:00", "PH off", "Mo-Fr 09:00-18:00; PH off",
    "Mo-Fr 09:00-18:00; PH 10:00-14:00", "Su,PH 10:00-12:00", "PH,Sa 10:00-12:00", "Mo-Su,PH 08:00-20:00", "PH 22:00-02:00",
    'Mo-Fr 09:00-18:00 "ring the bell"', 'Mo-Fr 09:00-18:00 open "ring the bell"', 'Mo-Fr off "holidays"',
]


def local(*fields: int, fold: int = 0) -> datetime.datetime:
    return datetime.datetime(*fields, tzinfo=ZONE, fold=fold)


def remarkable() -> "list[datetime.datetime]":
    """Instants at which evaluators go wrong: around changes of the clock, of the year and of February."""
    moments = []
    for first in [local(2018, 3, 25, 1, 55), local(2018, 10, 28, 1, 55), local(2019, 3, 31, 1, 55), local(2019, 10, 27, 1, 55)]:
        start = first.astimezone(datetime.timezone.utc)
        moments += [start + datetime.timedelta(minutes=5 * step) for step in range(30)]
    for first in [local(2018, 12, 31, 18), local(2018, 2, 28, 18), local(2019, 2, 28, 18), local(2018, 12, 24, 0)]:
        moments += [first + datetime.timedelta(minutes=30 * step) for step in range(24)]
    return moments


def instants(count: int, seed: int) -> "list[int]":
    """Milliseconds since 1970, ascending; the same for the same seed."""
    numbers = random.Random(seed)
    chosen = {int(moment.timestamp()) * 1_000 for moment in remarkable()}
    days = (LAST - FIRST).days + 1
    while len(chosen) < count:
        day = FIRST + datetime.timedelta(days=numbers.randrange(days))
        moment = local(day.year, day.month, day.day) + datetime.timedelta(minutes=numbers.randrange(1_440))
        if numbers.random() < 0.5:  # Half of them a minute before, on or after a quarter of an hour.
            moment += datetime.timedelta(minutes=-(moment.minute % 15) + numbers.choice([-1, 0, 1]))
        if FIRST <= moment.date() <= LAST:
            chosen.add(int(moment.timestamp()) * 1_000)
    return sorted(chosen)


def clock(milliseconds: int) -> datetime.datetime:
    """The local time in the zone, without the zone."""
    return datetime.datetime.fromtimestamp(milliseconds // 1_000, ZONE).replace(tzinfo=None)


def states(text: str, clocks: "list[datetime.datetime]") -> "str | None":
    """A letter for each time; nothing if the library cannot read the text."""
    try:
        hours = opening_hours.OpeningHours(text, country=COUNTRY, auto_timezone=False)
    except opening_hours.ParserError:
        return None
    return "".join(LETTERS[str(hours.state(time)[0])] for time in clocks)


def holidays() -> "list[str]":
    """The library's holidays of all years that the instants touch."""
    public = opening_hours.OpeningHours("PH 00:00-24:00", country=COUNTRY, auto_timezone=False)
    day, found = FIRST - datetime.timedelta(days=1), []
    while day <= LAST:
        if public.is_open(datetime.datetime(day.year, day.month, day.day, 12)):
            found.append(day.isoformat())
        day += datetime.timedelta(days=1)
    return found


def shared_texts(folder: pathlib.Path) -> "set[str]":
    texts = set()
    for path in sorted(folder.glob("*.json")):
        for feature in json.loads(path.read_text())["features"]:
            if text := feature["properties"].get("opening_hours"):
                texts.add(text)
    return texts


def compare(folder: pathlib.Path) -> None:
    times = instants(2_000, SEED)
    clocks = [clock(time) for time in times]
    texts = sorted(shared_texts(folder) | set(EXAMPLES))
    evaluated = {text: found for text in texts if (found := states(text, clocks)) is not None}
    print(f"{len(evaluated)} of {len(texts)} texts read, {len(times)} instants", file=sys.stderr)
    json.dump({"zone": ZONE.key, "holidays": holidays(), "instants": times, "states": evaluated}, sys.stdout)


def record(library: str) -> None:
    every_other = instants(320, SEED)[::2]
    clocks = [clock(time) for time in every_other]
    print(f"// Generated by scripts/torture opening-hours --record with {library}: do not edit.")
    print("\n/// States of opening hours by an independent implementation.\nenum RecordedOpeningStates {")
    print(f'    static let zone = "{ZONE.key}"')
    print(f"    static let holidays = {json.dumps(holidays())}")
    print(f"    /// Milliseconds since 1970.\n    static let instants: [Int64] = {every_other}")
    print("    /// A line for each text: a state for each instant, c closed, o open, u unknown; a blank, the text.")
    print('    static let table = #"""')
    for text in EXAMPLES:
        found = states(text, clocks)
        if found is None:
            sys.exit(f"the library cannot read {text!r}")
        print(f"        {found} {text}")
    print('        """#\n}')


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mode", choices=["compare", "record"])
    parser.add_argument("--folder", type=pathlib.Path, help="GeoJSON files with opening_hours; may be absent")
    parser.add_argument("--library", required=True, help="what to name as the source of the states")
    options = parser.parse_args()
    if options.mode == "record":
        record(options.library)
    else:
        compare(options.folder)


if __name__ == "__main__":
    main()
