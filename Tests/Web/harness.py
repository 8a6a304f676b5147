"""A built server and headless Chromium, for the tests of the live map page."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading
import time
import urllib.parse

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("PROMISED_BINARY", str(ROOT / ".build" / "debug" / "promised"))
SHOTS = pathlib.Path(os.environ.get("PROMISED_SHOTS", tempfile.gettempdir() + "/promised-web-shots"))


# A receiver like a phone's, which tells where it is ten times a second; the driver's own emulation tells of changes
# only, and dates them all alike.
RECEIVER = """
    Object.defineProperty(navigator, 'geolocation', { value: {
        watchPosition: (found, failed) => setInterval(() => {
            if (!globalThis.receiverAt) return failed({ code: 2 });
            found({ coords: { speed: null, heading: null, ...globalThis.receiverAt }, timestamp: Date.now() });
        }, 100),
        clearWatch: (watch) => clearInterval(watch),
    }, configurable: true });
"""


class Server:
    """A server process on a temporary data directory and a free port; stops when the block ends."""

    def __init__(self, *options, port=0):
        self.options = list(options)
        self.port = port
        self.data = tempfile.mkdtemp(prefix="promised-web-")
        self.process = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.data, ignore_errors=True)

    def start(self):
        """Starts it, on the port it had before if it ran before."""
        self.log = open(os.path.join(self.data, "server.log"), "ab")
        page = os.environ.get("PROMISED_PAGE")
        # A test with a page of its own keeps it.
        if page and not any(option.startswith("web.directory=") for option in self.options):
            self.options += ["--set", f"web.directory={page}"]
        command = [BINARY, "serve", "--data", self.data, "--listen", f"127.0.0.1:{self.port}"]
        cheap = ["--set", "passwords.scrypt-log2-n=10"]
        self.process = subprocess.Popen(command + cheap + self.options, stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.process.stdout.readline()
        if not line.startswith("listening on "):
            raise RuntimeError(f"the server did not start: {open(self.log.name).read()}")
        self.port = int(line.rsplit(":", 1)[1])

    def stop(self):
        """Stops it and waits until it is gone."""
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(timeout=30)
            self.process.stdout.close()
        self.log.close()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"


class Demo:
    """`promised demo` on a free port; stops when the block ends."""

    def __init__(self, *options):
        self.options = options

    def __enter__(self):
        command = [BINARY, "demo", "--listen", "127.0.0.1:0", *self.options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = next((line for line in self.process.stdout if "/#demo=" in line), None)
        if line is None:
            raise RuntimeError("the demo printed no address")
        # Its further output must be read, or it would block.
        self.reader = threading.Thread(target=self.process.stdout.read, daemon=True)
        self.reader.start()
        self.url, self.fragment = line.split()[-1].split("/#")
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=30)
        self.reader.join()
        self.process.stdout.close()


class Browser:
    """One headless Chromium with a profile of its own."""

    def __init__(self, server, language="en-GB", size=(1280, 800), mobile=False, dark=False):
        options = Options()
        options.binary_location = shutil.which("chromium") or "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
                         f"--lang={language}", f"--window-size={size[0]},{size[1]}",
                         # The browser's own requests would count as the page's.
                         "--disable-background-networking", "--disable-component-update", "--no-first-run",
                         "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding"):
            options.add_argument(argument)
        options.add_experimental_option("prefs", {"intl.accept_languages": language})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        self.server = server
        self.language = language
        self.requests = []
        self.received = []
        self.resize(*size, mobile=mobile)
        self.scheme(dark)
        self.cdp("Page.addScriptToEvaluateOnNewDocument", source=RECEIVER)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def cdp(self, command, **parameters):
        return self.driver.execute_cdp_cmd(command, parameters)

    def resize(self, width, height, mobile=False):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2 if mobile else 1,
                 mobile=mobile)

    def scheme(self, dark):
        value = "dark" if dark else "light"
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": value}])

    def locate(self, latitude, longitude, accuracy=8):
        """Puts the browser's receiver somewhere, from now on and after a reload."""
        position = f"globalThis.receiverAt = {{ latitude: {latitude}, longitude: {longitude}, accuracy: {accuracy} }};"
        self.cdp("Page.addScriptToEvaluateOnNewDocument", source=position)
        self.driver.execute_script(position)

    def locate_nowhere(self):
        """Takes the position from the browser's receiver."""
        self.driver.execute_script("globalThis.receiverAt = null")

    def open(self, fragment=""):
        self.driver.get(self.server.url + "/" + fragment)

    # Finding and acting

    def wait(self, condition, what, seconds=30):
        """Waits until a condition holds; looks again every 30 ms. An element that vanished while looking is no answer."""
        ignored = [StaleElementReferenceException]
        return WebDriverWait(self.driver, seconds, 0.03, ignored).until(lambda _: condition(), f"{what}\n{self.text()}")

    def find(self, css, seconds=30):
        return self.wait(lambda: next((one for one in self.all(css) if one.is_displayed()), None), f"no {css}", seconds)

    def all(self, css):
        return self.driver.find_elements(By.CSS_SELECTOR, css)

    def text(self):
        try:
            return self.driver.execute_script("return document.body.innerText")
        except WebDriverException as error:
            return str(error)

    def see(self, text, css="body", seconds=30):
        """Waits until a text is shown."""
        script = """return [...document.querySelectorAll(arguments[0])]
            .some((one) => one.checkVisibility() && one.textContent.replaceAll('\u00a0', ' ').includes(arguments[1]))"""
        return self.wait(lambda: self.driver.execute_script(script, css, text), f"'{text}' is not shown in {css}", seconds)

    def press(self, label, css="button, a", within="body"):
        """Presses what bears a label: the visible text, or what a screen reader says."""
        script = """
            const all = [...document.querySelectorAll(arguments[2] + ' :is(' + arguments[1] + ')')];
            const told = (node) => node.nodeType === 3 ? node.data
                : node.getAttribute('aria-hidden') ? '' : [...node.childNodes].map(told).join('');
            const name = (one) => one.getAttribute('aria-label') ?? told(one).trim();
            return all.find((one) => (name(one) === arguments[0] || one.innerText.trim() === arguments[0])
                && one.checkVisibility() && !one.disabled) ?? null;
        """
        button = self.wait(lambda: self.driver.execute_script(script, label, css, within), f"no button '{label}'")
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", button)
        button.click()

    def fill(self, name, value, within="body"):
        element = self.find(f"{within} [name={name}]")
        self.driver.execute_script("""
            arguments[0].value = arguments[1];
            arguments[0].dispatchEvent(new Event('input', { bubbles: true }));
        """, element, str(value))

    def shot(self, name):
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.driver.save_screenshot(str(SHOTS / f"{name}.png"))

    # Watching

    def console(self):
        """The page's complaints, without refused connections, which tests provoke while the server is away."""
        entries = self.driver.get_log("browser")
        return [one["message"] for one in entries if one["level"] in ("SEVERE", "WARNING")]

    def addresses(self):
        """Everything that was asked for so far: pages, files and sockets."""
        self.read_traffic()
        return self.requests

    def frames(self):
        """The texts of all frames that came over sockets so far."""
        self.read_traffic()
        return self.received

    def read_traffic(self):
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            parameters = message["params"]
            if message["method"] in ("Network.requestWillBeSent", "Network.webSocketCreated"):
                self.requests.append(parameters.get("request", {}).get("url") or parameters.get("url", ""))
            if message["method"] == "Network.webSocketFrameReceived":
                self.received.append(parameters["response"]["payloadData"])

    def hosts(self):
        """The hosts that anything was asked of so far."""
        parts = [urllib.parse.urlsplit(address) for address in self.addresses()]
        return {part.netloc for part in parts if part.scheme in ("http", "https", "ws", "wss")}

    # Steps

    def sign_up(self, nickname):
        create, promises = ("계정 만들기", "약속") if self.language.startswith("ko") else ("Create account", "Promises")
        self.open()
        self.press(create)
        self.fill("email", f"{abs(hash(nickname))}@example.org")
        self.fill("nickname", nickname)
        self.fill("password", "correct horse battery")
        self.press(create, css="button[type=submit]")
        self.see(promises, "h1")


def wait_until(condition, seconds=10):
    """Waits for something outside of a browser."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError("it did not happen in time")
        time.sleep(0.02)
