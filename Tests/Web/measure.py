"""The cost of the page, in CPU of the browser's processes and in its heap: with fifty participants who report once a
second, and with ten thousand places over which the map is panned.

The clock of the participants runs ten times as fast, so that a minute is ten minutes of the server's time.
"""

import os
import pathlib
import sys
import time

from fakeserver import FakeServer
from harness import Browser, Server, wait_until
from selenium.webdriver.common.action_chains import ActionChains

ROBOTS = (pathlib.Path(__file__).parent / "robots.js").read_text(encoding="utf-8")
PARTICIPANTS = 50
PLACES = 10_000
WARM_UP = 20
RATE = 10
# The limits that issue and documents promise: half of a core, and a heap that does not grow.
MOST_CPU = 0.5
MOST_GROWTH = 1.15


def process_tree(root):
    """A process and all below it."""
    parents = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            parents.setdefault(int(stat[1]), []).append(int(entry.name))
    found, left = [], [root]
    while left:
        process = left.pop()
        found.append(process)
        left += parents.get(process, [])
    return found


def cpu_seconds(root):
    """CPU time of a process and all below it, by kind of process (renderer, gpu-process …)."""
    ticks = os.sysconf("SC_CLK_TCK")
    total = {}
    for process in process_tree(root):
        try:
            stat = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
            command = pathlib.Path(f"/proc/{process}/cmdline").read_text()
        except OSError:
            continue
        kind = command.split("--type=")[1].replace("\0", " ").split(" ")[0] if "--type=" in command else "browser"
        if "chromedriver" in command:
            kind = "driver"
        total[kind] = total.get(kind, 0) + (int(stat[11]) + int(stat[12])) / ticks
    return total


def heap(browser):
    """The page's heap after a collection, in bytes: the least of some, as the page goes on working meanwhile."""
    browser.cdp("Performance.enable")
    browser.cdp("HeapProfiler.enable")
    sizes = []
    for _ in range(5):
        browser.cdp("HeapProfiler.collectGarbage")
        metrics = browser.cdp("Performance.getMetrics")["metrics"]
        sizes.append(next(one["value"] for one in metrics if one["name"] == "JSHeapUsedSize"))
        time.sleep(0.2)
    return min(sizes)


def call(browser, expression):
    answer = browser.cdp("Runtime.evaluate", expression=f"robots.{expression}", awaitPromise=True, returnByValue=True)
    if "exceptionDetails" in answer:
        raise RuntimeError(answer["exceptionDetails"])
    return answer["result"].get("value")


def measure(seconds):
    options = ["--clock-rate", str(RATE), "--set", "window.before=1m", "--set", "report.interval=10s"]
    with Server(*options) as server, Browser(server) as crowd, Browser(server) as viewer:
        crowd.open()
        crowd.cdp("Runtime.evaluate", expression=f"(async () => {{ {ROBOTS} }})()", awaitPromise=True)
        names = [f"robot_{number}" for number in range(PARTICIPANTS - 1)]
        call(crowd, "make(" + ",".join(f"'{name}'" for name in names) + ")")
        promise = call(crowd, "promise('robot_0', 600000, {})")
        promise_id = promise["promiseId"]
        code = call(crowd, f"call('robot_0', 'createInvite', {{ promiseId: '{promise_id}' }})")["code"]
        for name in names[1:]:
            call(crowd, f"call('{name}', 'joinByCode', {{ code: '{code}' }})")
        viewer.sign_up("Viewer")
        viewer.press("Join with a code")
        viewer.fill("code", code)
        viewer.press("Join", within="dialog")
        viewer.see("Live", ".chip", seconds=90)
        place = "{ latitude: 37.5663, longitude: 126.9779 }"
        crowd.cdp("Runtime.evaluate", expression=f"robots.walk('{promise_id}', {place}, 1000, 1.2)")
        viewer.see("robot_48", ".people", seconds=20)
        viewer.wait(lambda: len(viewer.all(".dot[data-freshness=LIVE]")) >= PARTICIPANTS - 2, "not everybody is live")
        time.sleep(10)
        report(viewer, seconds)
        viewer.shot("crowd-desktop-light")


def report(viewer, seconds):
    driver = viewer.driver.service.process.pid
    first_heap, before, start = heap(viewer), cpu_seconds(driver), time.monotonic()
    time.sleep(seconds)
    passed, after = time.monotonic() - start, cpu_seconds(driver)
    last_heap = heap(viewer)
    shares = {kind: (after[kind] - before.get(kind, 0)) / passed for kind in after if kind != "driver"}
    total = sum(shares.values())
    print(f"{PARTICIPANTS} participants, one report a second each, {passed:.0f} s ({passed * RATE / 60:.0f} min of the server's clock)")
    for kind, share in sorted(shares.items(), key=lambda one: -one[1]):
        print(f"  {kind:14} {share:6.1%} of a core")
    print(f"  {'all':14} {total:6.1%} of a core (at most {MOST_CPU:.0%})")
    print(f"  heap {first_heap / 1e6:.2f} MB, then {last_heap / 1e6:.2f} MB (at most {MOST_GROWTH} times)")
    if total > MOST_CPU or last_heap > first_heap * MOST_GROWTH:
        sys.exit("too much")


def measure_pans(seconds):
    """Drags the map to and fro over the places, and compares the heap before and after."""
    with FakeServer(places=PLACES) as server, Browser(server) as browser:
        browser.sign_up("Ada")
        browser.press("Places")
        browser.see("places", "[role=status]")
        # Until then the heap grows by what the engine learns about the code.
        for count in range(WARM_UP):
            drag(browser, server, 60 if count % 2 else -60)
        first, pans, end = heap(browser), 0, time.monotonic() + seconds
        while time.monotonic() < end:
            drag(browser, server, 60 if pans % 2 else -60)
            pans += 1
        last = heap(browser)
        print(f"{PLACES} places, {pans} pans in {seconds:.0f} s")
        print(f"  heap {first / 1e6:.2f} MB, then {last / 1e6:.2f} MB (at most {MOST_GROWTH} times)")
        if last > first * MOST_GROWTH:
            sys.exit("too much")


def drag(browser, server, pixels):
    """One pan of the map, until the places of the new part are asked for."""
    before = len(server.asked("viewPlaces"))
    chain = ActionChains(browser.driver, duration=20).move_to_element(browser.find("#map")).click_and_hold()
    for _ in range(4):
        chain.move_by_offset(pixels, pixels // 3)
    chain.release().perform()
    wait_until(lambda: len(server.asked("viewPlaces")) > before)


if __name__ == "__main__":
    length = float(sys.argv[1]) if len(sys.argv) > 1 else 60
    measure_pans(length)
    measure(length)
