"""Every screen of the page, each with the steps that lead to it, at a fake server with something of everything."""

import contextlib
from datetime import timedelta

import test_live
import test_result
from fakeanswers import BEN, stamp
from selenium.common.exceptions import NoSuchElementException
from test_explanation import ExplanationTest
from visitspage import VisitsTest

# The width and the height of a phone, and of a desktop window.
SIZES = ((360, 740), (1280, 800))
LANGUAGES = ("en-US", "ko-KR")


class ScreensTest(VisitsTest, ExplanationTest):
    """Ada with friends, a promise, places, visits and courses."""

    on_the_way = test_live.LiveTests.on_the_way
    person = staticmethod(test_live.LiveTests.person)
    finish = test_result.ResultTests.finish

    def stage(self, language):
        """A server and a browser that is signed in."""
        server = self.fake(places=400)
        ada = self.browse(server, language=language)
        self.show_signed_out(server, ada)
        return server, ada

    def fill(self, server, ada):
        ada.driver.set_script_timeout(60)
        self.fill_server(server, ada)
        server.friends = [BEN, {"userId": "c", "nickname": "Christopher Montgomery-Smith"}, {"userId": "h", "nickname": "김하늘"}]
        server.make_course("Along the river", description="Flat, with two cafés.")
        server.make_course("서울 한 바퀴", source="OPERATOR")
        server.make_course("Ben's hill", user=BEN, audience="FRIENDS")
        server.on_addFavourite({"placeId": "place-1"})
        server.on_addFavourite({"label": "Home", "place": {"name": "Home", "latitude": 37.55, "longitude": 126.99}})
        server.notify("INVITED", "PROMISE", promiseId="promise-1", user=BEN)
        server.notify("VISIT_MADE", "OTHER", visitId="visit-0", read=True)
        server.notify("FRIEND_REQUESTED", "FRIENDS", user=BEN)

    # The steps to each screen; each is called once for each size.

    @staticmethod
    def to(ada, *path):
        """Opens a view anew, whatever is shown."""
        for hash_ in ("#/record" if path != ("record",) else "#/", "#/" + "/".join(path)):
            ada.driver.execute_script("location.hash = arguments[0]", hash_)
            ada.wait(lambda: ada.driver.execute_script("return document.body.dataset.view") == (hash_[2:].split("/")[0] or "home"), "the view is not open")

    def show_signed_out(self, server, ada):
        ada.open()
        ada.find(".entry")

    def show_home(self, server, ada):
        self.under_way(server)
        server.promise.update(status="SCHEDULED", opensAt=stamp(server.now + timedelta(hours=3)))
        self.to(ada)
        ada.find("#panel h1")

    def show_editor(self, server, ada):
        self.to(ada, "new", "place", "place-1")
        ada.find("#panel form [name=title]")

    def show_scheduled(self, server, ada):
        self.on_the_way(server)
        server.promise.update(status="SCHEDULED", opensAt=stamp(server.now + timedelta(hours=3)))
        self.to(ada, "promise", "promise-1")
        ada.see("Iseul", ".meetup")

    def show_under_way(self, server, ada):
        self.on_the_way(server)
        self.to(ada, "promise", "promise-1")
        ada.see("Iseul", ".people")

    def show_result(self, server, ada):
        self.under_way(server)
        self.to(ada, "promise", "promise-1")
        ada.see("Ben", ".meetup")
        self.finish(server)
        ada.see("Christopher", ".result")

    def show_reason(self, server, ada):
        self.under_way(server, ada=600)
        at = stamp(server.meets_at - timedelta(seconds=600))
        fix = {"seq": 3, "fixTime": at, "receivedAt": at, "errorMetres": 8, "distanceMetres": 12, "use": "STRONG"}
        server.explanation = {"arrival": self.arrival(server, {"userId": "ada"}, 600), "clause": "SETTLED", "fixes": [fix], "ruleVersion": 2}
        self.to(ada, "promise", "promise-1")
        ada.find(".ranking button.small").click()
        ada.find("dialog[open]")

    def show_friends(self, server, ada):
        self.to(ada, "friends")
        ada.see("김하늘")

    def show_me(self, server, ada):
        self.to(ada, "me")
        ada.see("Ada", "#panel")

    def show_notifications(self, server, ada):
        self.to(ada, "notifications")
        ada.see("Ben", "#panel")

    def show_places(self, server, ada):
        self.to(ada, "places")
        ada.find(".places li")

    def show_filter(self, server, ada):
        self.show_places(server, ada)
        ada.driver.execute_script("document.querySelector('.filter').open = true")
        ada.see("Café", ".filter")

    def show_search(self, server, ada):
        self.show_places(server, ada)
        ada.fill("text", "Place 1")
        ada.see("Place 1", ".place .cover")

    def show_place(self, server, ada):
        self.to(ada, "place", "place-0")
        ada.find(".place-card h1")

    def show_favourites(self, server, ada):
        self.to(ada, "places", "favourites")
        ada.see("Home", "#panel")

    def show_visits(self, server, ada):
        self.to(ada, "visits")
        ada.see("Moon Market", ".visits")

    def show_visit(self, server, ada):
        self.to(ada, "visit", "visit-0")
        ada.see("Found it", ".visit-page")

    def show_visit_editor(self, server, ada):
        self.to(ada, "visit", "visit-0", "edit")
        ada.find(".visit-editor [name=title]")

    def show_badges(self, server, ada):
        self.to(ada, "visits", "badges")
        ada.find(".badges h2")

    def show_courses(self, server, ada):
        self.to(ada, "courses")
        ada.see("Along the river", ".courses")

    def show_recommended(self, server, ada):
        self.to(ada, "courses", "recommended")
        ada.see("서울 한 바퀴", ".courses")

    def show_course(self, server, ada):
        self.to(ada, "course", "course-0")
        ada.see("Along the river", "h1")

    def show_waypoints(self, server, ada):
        self.to(ada, "course", "course-0", "waypoints")
        ada.find(".waypoint-editor [data-waypoint]")

    def show_record(self, server, ada):
        self.to(ada, "record")
        ada.find(".record h1")

    NAMES = ("home", "editor", "scheduled", "under_way", "result", "reason", "friends", "me", "notifications", "places", "filter", "search",
             "place", "favourites", "visits", "visit", "visit_editor", "badges", "courses", "recommended", "course", "waypoints", "record")

    def visit_all(self, server, ada, look):
        """Shows each screen at each size, and calls `look` with its name and the width."""
        for width, height in SIZES:
            ada.resize(width, height, mobile=width < 800)
            look("signed-out", width)
        ada.sign_up("Ada")
        self.fill(server, ada)
        for name in self.NAMES:
            for width, height in SIZES:
                ada.resize(width, height, mobile=width < 800)
                getattr(self, "show_" + name)(server, ada)
                look(name.replace("_", "-"), width)
                with contextlib.suppress(NoSuchElementException):
                    ada.driver.execute_script("document.querySelector('dialog[open]')?.close()")
