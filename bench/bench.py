"""Runs the load test in every variant, interleaved, and writes medians and spread as a table and a chart.

Called by scripts/bench relay, which builds what is measured. Needs nothing but Python's standard library.
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys

import chart
import restart

BEGIN, END = "<!-- bench:begin -->", "<!-- bench:end -->"

# Name, and the options that make it; the relay's come with its path.
VARIANTS = {
    "slots, protobuf": ["--phase", "slots", "--codec", "protobuf"],
    "slots, JSON": ["--phase", "slots", "--codec", "json"],
    "random, protobuf": ["--phase", "random", "--codec", "protobuf"],
    "random, JSON": ["--phase", "random", "--codec", "json"],
    "bare relay": ["--phase", "random"],
}

# Somebody arrives all the time, or there would be no latency of arrivals: a second the same share of any number of phones,
# but for very few.
ARRIVING, LEAST_ARRIVALS = 1 / 2000, 0.5

# Column, path in the JSON document, digits. The first shows how far runs differ.
COLUMNS = [
    ("CPU s per million", "serverCpuSecondsPerMillionDeliveries", 2),
    ("delivery p50 ms", "deliveryLatencyMs.p50", 0),
    ("delivery p99 ms", "deliveryLatencyMs.p99", 0),
    ("arrival p99 ms", "arrivalLatencyMs.p99", 0),
    ("frames per delivery", "framesPerDelivery", 2),
    ("bytes per delivery", "bytesPerDelivery", 0),
    ("bytes per connection", "memoryBytesPerConnection", 0),
    ("connected in s", "connectSeconds", 1),
    ("stolen %", "stolenPercent", 0),
]
# Counted over all runs: what, and the path in the JSON document.
FAULTS = [("missing deliveries", "missing"), ("errors", "errors"), ("violations", "violations")]


# The targets that docs/performance.md shows, at this many connections: what, variant, path, unit, factor, at most.
AIM = 10_000
TARGETS = [
    ("server CPU s per million deliveries, slots, protobuf", "slots, protobuf", "serverCpuSecondsPerMillionDeliveries", "s", 1, 2.5),
    ("the same in JSON", "slots, JSON", "serverCpuSecondsPerMillionDeliveries", "s", 1, 3.5),
    ("the same at random phases, protobuf", "random, protobuf", "serverCpuSecondsPerMillionDeliveries", "s", 1, 9),
    ("report → delivery p99, slots", "slots, protobuf", "deliveryLatencyMs.p99", "ms", 1, 350),
    ("report → delivery p99, random phases", "random, protobuf", "deliveryLatencyMs.p99", "ms", 1, 350),
    ("report → `arrived` p99", "slots, protobuf", "arrivalLatencyMs.p99", "ms", 1, 50),
    ("memory per client above the idle server", "slots, protobuf", "memoryBytesPerConnection", "KiB", 1 / 1024, 6),
    ("connect, `hello`, `subscribe` of all", "slots, protobuf", "connectSeconds", "s", 1, 5),
]


def say(line):
    print(f"==> {line}", file=sys.stderr, flush=True)


def number(document, path):
    """The number at a dotted path; None where the document has none."""
    for key in path.split("."):
        document = document.get(key) if isinstance(document, dict) else None
    return document


def processor_time():
    """The time that the host took for other guests, and all time, since the machine started; in ticks of all cores."""
    ticks = [int(field) for field in pathlib.Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    return ticks[7], sum(ticks)


def stolen_percent(before, after):
    """Of the processor time between two looks the share that the host took."""
    stolen, passed = (new - old for old, new in zip(before, after))
    return 100 * stolen / passed if passed else 0


def run(options, variant, connections):
    """One run's JSON document; ends the program when the run could not be made."""
    command = [options.load, "--json", "--connections", str(connections), *VARIANTS[variant]]
    command += ["--duration", options.duration, "--warm-up", options.warm_up]
    if variant == "bare relay":
        command += ["--relay", options.relay]
    else:
        command += ["--arrive-per-second", str(max(LEAST_ARRIVALS, connections * ARRIVING))]
    before = processor_time()
    done = subprocess.run(command, stdout=subprocess.PIPE)
    after = processor_time()
    # 1 says that something was missing or wrong: that is a finding, and stands in the table.
    if done.returncode not in (0, 1):
        sys.exit(f"error: {' '.join(command)} ended with {done.returncode}")
    document = json.loads(done.stdout)
    document["machineLoad"] = os.getloadavg()[0]
    document["stolenPercent"] = stolen_percent(before, after)
    return document


def settings(options):
    """The settings that two comparable runs share."""
    return {"duration": options.duration, "warmUp": options.warm_up, "arriving": ARRIVING, "load": str(options.load)}


def kept(options):
    """The results of earlier runs with the same settings in the file, by (variant, connections)."""
    found = {}
    if options.keep and options.keep.exists():
        for line in options.keep.read_text().splitlines():
            entry = json.loads(line)
            if entry["settings"] != settings(options):
                sys.exit(f"error: {options.keep} is of runs with other settings: {entry['settings']}")
            found.setdefault((entry["variant"], entry["connections"]), []).append(entry["document"])
    return found


def keep(options, variant, connections, document):
    if options.keep:
        entry = {"settings": settings(options), "variant": variant, "connections": connections, "document": document}
        with options.keep.open("a") as file:
            file.write(json.dumps(entry) + "\n")


def measure(options):
    """All documents by (variant, connections). One run of everything follows the other, so that a slow moment of the
    machine does not fall upon one variant only. What was kept is not measured again."""
    found = kept(options)
    for turn in range(options.runs):
        for connections in options.connections:
            for variant in VARIANTS:
                if len(found.get((variant, connections), [])) > turn:
                    continue
                say(f"run {turn + 1} of {options.runs}: {variant}, {connections} connections")
                document = run(options, variant, connections)
                found.setdefault((variant, connections), []).append(document)
                keep(options, variant, connections, document)
    return found


def cell(documents, path, digits, with_spread):
    """Median, and smallest to largest where runs differ and that is wanted."""
    values = [value for value in (number(document, path) for document in documents) if value is not None]
    if not values:
        return "–"
    median, low, high = statistics.median(values), min(values), max(values)
    text = f"{median:,.{digits}f}"
    shown = f"{low:,.{digits}f}–{high:,.{digits}f}"
    return f"{text} ({shown})" if with_spread and f"{low:,.{digits}f}" != f"{high:,.{digits}f}" else text


def table(found):
    heads = ["connections", "variant"] + [name for name, _, _ in COLUMNS]
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for (variant, connections), documents in sorted(found.items(), key=lambda item: (item[0][1], list(VARIANTS).index(item[0][0]))):
        cells = [f"{connections:,}", variant]
        cells += [cell(documents, path, digits, column == 0) for column, (_, path, digits) in enumerate(COLUMNS)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def faults(found):
    """The faults of all runs, in a sentence."""
    runs = [document for documents in found.values() for document in documents]
    return "In all runs: " + ", ".join(f"{sum(number(run, path) or 0 for run in runs):,} {what}" for what, path in FAULTS) + "."


def median(found, variant, connections, path):
    """The median of a number over the runs of a variant; None where there is none."""
    values = [number(document, path) for document in found.get((variant, connections), [])]
    values = [value for value in values if value is not None]
    return statistics.median(values) if values else None


def growth(found, options):
    """How far the CPU seconds per delivery with most connections differ from those with fewest, in percent."""
    path = "serverCpuSecondsPerMillionDeliveries"
    few, many = (median(found, "slots, protobuf", count, path) for count in (min(options.sizes), max(options.sizes)))
    return (many / few - 1) * 100 if few and many else None


def targets(found, restarted, options):
    """Each target with what was measured."""
    lines = ["| target | aim | measured | met |", "|---|---|---|---|"]
    aim = AIM if AIM in options.sizes else max(options.sizes)
    for what, variant, path, unit, factor, most in TARGETS:
        value = median(found, variant, aim, path)
        shown, met = ("–", "–") if value is None else (f"{value * factor:,.1f} {unit}", "yes" if value * factor <= most else "no")
        lines.append(f"| {what} | ≤ {most} {unit} | {shown} | {met} |")
    change = growth(found, options)
    span = f"{min(options.sizes):,} to {max(options.sizes):,}"
    if change is not None:
        lines.append(f"| CPU per client from {span} clients | ± 20 % | {change:+.0f} % | {'yes' if abs(change) <= 20 else 'no'} |")
    if restarted:
        seconds = restarted["restoredSeconds"]
        met = "yes" if seconds is not None and seconds <= 2 and is_whole(restarted) else "no"
        shown = "not restored" if seconds is None else f"{seconds:.1f} s"
        lines.append(
            f"| killed under that load: listening and all sessions restored | ≤ 2 s | {shown}, {restarted['arrivalsKept']}"
            f" arrivals kept of {restarted['arrivalsTold']} told, {restarted['violations']} violations | {met} |")
    return f"At {aim:,} connections:\n\n" + "\n".join(lines)


def is_whole(restarted):
    """Whether nothing was lost that had been told."""
    return restarted["verified"] and not restarted["violations"] and restarted["arrivalsKept"] >= restarted["arrivalsTold"]


def machine():
    """The machine in a sentence."""
    def first(path, prefix):
        try:
            lines = pathlib.Path(path).read_text().splitlines()
        except OSError:
            return "unknown"
        return next((line.split(":", 1)[1].strip() for line in lines if line.startswith(prefix)), "unknown")

    cores = len([line for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("processor")])
    memory = int(first("/proc/meminfo", "MemTotal").split()[0]) // (1 << 20)
    return f"{cores} cores of {first('/proc/cpuinfo', 'model name')}, {memory} GiB, Linux {platform.release()}"


def page_around(options):
    """The page that table and targets go into: what stands before and after them. Ends the program without a place."""
    page = options.docs / "performance.md"
    try:
        # Beside the documents there is no page yet.
        old = page.read_text() if page.exists() else f"{BEGIN}\n{END}\n"
    except OSError as error:
        sys.exit(f"error: {page} can't be read: {error.strerror}")
    if not os.access(page if page.exists() else options.docs, os.W_OK):
        sys.exit(f"error: {page} can't be written")
    before, _, rest = old.partition(BEGIN)
    _, mark, after = rest.partition(END)
    if not mark:
        sys.exit(f"error: {page} lacks the lines {BEGIN} and {END}")
    return page, before, after


def write(options, text, found):
    page, before, after = page_around(options)
    page.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}")
    points = {
        variant: [median(found, variant, connections, COLUMNS[0][1]) or 0 for connections in options.sizes]
        for variant in VARIANTS
    }
    svg = chart.grouped_bars(
        "Server CPU seconds per million deliveries", [f"{count:,}" for count in options.sizes], points
    )
    (options.docs / "performance.svg").write_text(svg)


def parse():
    parser = argparse.ArgumentParser(prog="scripts/bench relay")
    parser.add_argument("--binaries", type=os.path.abspath, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--relay", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--docs", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=None)
    parser.add_argument("--connections", default=None)
    parser.add_argument("--duration", default=None)
    parser.add_argument("--warm-up", default=None)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    quick = options.quick
    options.runs = options.runs or (1 if quick else 3)
    options.duration = options.duration or ("10s" if quick else "60s")
    options.warm_up = options.warm_up or ("6s" if quick else "15s")
    counts = options.connections or ("100,500" if quick else "1000,5000,10000,19000")
    options.connections = [int(count) for count in counts.split(",")]
    options.load = f"{options.binaries}/promise-load"
    options.writes = options.output is not None or options.docs is not None and not quick
    options.docs = options.output or options.docs
    return options


def main():
    options = parse()
    if options.writes:
        # Known before an hour is spent, not after it.
        page_around(options)
    found = measure(options)
    options.sizes = sorted({connections for _, connections in found})
    say("killing a server under load")
    restarted = restart.measure(options.load, max(count for count in options.sizes if count <= max(AIM, min(options.sizes))))
    runs = sorted({len(documents) for documents in found.values()})
    loads = [document["machineLoad"] for documents in found.values() for document in documents if "machineLoad" in document]
    date = datetime.date.today().isoformat()
    text = (
        f"Measured {date} on {machine()}; medians of {' or '.join(map(str, runs))} runs of {options.duration}, smallest–largest in"
        f" parentheses; one report per phone and 5 s, ten people per promise. Load average of the machine at the end"
        f" of the runs, themselves included: {min(loads):.1f}–{max(loads):.1f}. *Stolen* is the share of the"
        f" processors' time that the host gave to other guests meanwhile. {faults(found)}\n\n{table(found)}\n\n{targets(found, restarted, options)}"
    )
    print(text)
    if options.writes:
        write(options, f"\n{text}\n\n![Server CPU seconds per million deliveries](performance.svg)\n", found)
        say(f"written to {options.docs}")


if __name__ == "__main__":
    main()
