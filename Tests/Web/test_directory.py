"""Real places in a real server: imported, found, kept, met at on a day on which they are closed, in the rain."""

import datetime
import json
import pathlib
import subprocess
import tempfile
import unittest
from zoneinfo import ZoneInfo

from harness import BINARY, ROOT, Server
from placespage import PlacesTest

FILES = ROOT.parent / "shared" / "places"
SEOUL = ZoneInfo("Asia/Seoul")


def recorded_rain(folder):
    """Three days of rain, in the form of Open-Meteo's replies; the server moves them to its clock."""
    hours = 72
    hourly = {"time": [3_600 * hour for hour in range(hours)], "weather_code": [61] * hours,
              "temperature_2m": [8.1] * hours, "apparent_temperature": [5.9] * hours,
              "precipitation": [1.2] * hours, "precipitation_probability": [85] * hours, "wind_speed_10m": [3.0] * hours}
    (pathlib.Path(folder) / "forecast.json").write_text(json.dumps({"hourly": hourly}), encoding="utf-8")


def closed_day(ahead=1):
    """Noon in Seoul some days ahead, or a day later: a day on which no market of the 2nd and 7th is held."""
    day = datetime.datetime.now(SEOUL).replace(hour=12, minute=0, second=0, microsecond=0) + datetime.timedelta(days=ahead)
    return day if day.day % 10 not in (2, 7) else day + datetime.timedelta(days=1)


@unittest.skipUnless(FILES.exists(), "../shared/places is absent")
class DirectoryTests(PlacesTest):
    def real(self):
        """A server with the markets and the bicycle stations, and recorded weather."""
        weather = self.enterContext(tempfile.TemporaryDirectory(prefix="promised-weather-"))
        recorded_rain(weather)
        server = self.enterContext(
            Server("--set", "weather.providers=recorded", "--set", f"weather.url=recorded={weather}"))
        # The data directory is there now; the command needs it for itself.
        server.stop()
        for preset, name in (("markets-kr", "markets-kr.csv"), ("bikes-seoul", "bikes-seoul.csv")):
            command = [BINARY, "place", "import", str(FILES / name), "--data", server.data, "--json",
                       "--preset", str(ROOT / "config" / "places" / f"{preset}.yaml")]
            report = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, text=True)
            self.assertGreater(json.loads(report.stdout)["added"], 1_000)
        server.start()
        return server

    def test_a_market_is_found_kept_and_met_at_on_a_day_on_which_it_is_closed(self):
        server = self.real()
        ada = self.begin(server)
        ada.press("Places")
        ada.see("2,912 places", "[role=status]")
        ada.see("전국전통시장표준데이터", ".credits")
        ada.see("places close together", ".cluster")
        self.filter(ada)
        self.shots(ada, "real-places")
        shown = ada.find("[role=status]").text
        ada.find(".cluster").click()
        ada.wait(lambda: ada.find("[role=status]").text != shown, "the cluster does not split")
        ada.fill("text", "남지시장")
        ada.see("남지시장", ".places")
        ada.find(".places .cover").click()
        ada.see("남지시장", "h1")
        ada.press("Favourite")
        ada.wait(lambda: ada.find(".choice").get_attribute("aria-pressed") == "true", "it is no favourite")
        self.shots(ada, "real-place")
        ada.press("Meet here")
        ada.fill("title", "Rice cakes")
        # The week of the place's card does not reach the first of these days.
        ada.fill("meetsAt", self.local(ada, closed_day(ahead=20)))
        ada.see("Closed that day.", ".closed")
        ada.fill("meetsAt", self.local(ada, closed_day()))
        ada.see("Closed that day.", ".closed")
        ada.see("Rain, 8", ".outlook")
        self.shots(ada, "real-editor")
        ada.press("Create promise")
        ada.see("Rice cakes", "h1")
        ada.see("Closed that day.", ".closed")
        ada.see("Rain", ".surroundings")
        self.shots(ada, "real-meetup")
        ada.open("#/places/favourites")
        ada.see("남지시장", ".places")
        self.check()

    def filter(self, ada):
        """Only markets, then all again."""
        ada.press("Filter", css="summary")
        ada.press("Periodic market")
        ada.see("406 places", "[role=status]")
        ada.press("Remove all filters")
        ada.see("2,912 places", "[role=status]")

    @staticmethod
    def local(browser, instant):
        """An instant as the form has it, in the browser's time zone."""
        return browser.driver.execute_async_script("""
            const done = arguments[1];
            import('/assets/format.js').then((format) => done(format.localInput(arguments[0])));
        """, int(instant.timestamp() * 1000))

    def test_a_korean_phone_in_the_dark_shows_the_same(self):
        server = self.real()
        ada = self.browse(server, language="ko-KR", size=(390, 844), mobile=True, dark=True)
        ada.open()
        ada.press("계정 만들기")
        for name, value in (("email", "ada@example.org"), ("nickname", "아다"), ("password", "correct horse battery")):
            ada.fill(name, value)
        ada.press("계정 만들기", css="button[type=submit]")
        ada.see("약속", "h1")
        ada.driver.execute_script("location.hash = '#/places'")
        ada.see("장소 2,912곳", "[role=status]")
        ada.fill("text", "ㄱㅈㅅㅈ")
        ada.see("감전시장", ".places")
        ada.shot("real-initials-phone-korean")
        self.assert_accessible(ada, "a search by initials")
        self.check()
