"""The dialog that explains an arrival, at a fake server."""

from datetime import timedelta

from fakeanswers import ADA, BEN, stamp
from placespage import PlacesTest

PLACE = {"name": "Town hall", "latitude": 37.5663, "longitude": 126.9779}


class ExplanationTest(PlacesTest):
    """Ada and Ben in a promise under way."""

    def under_way(self, server, owner="ada", **arrivals):
        """Makes the promise; arrivals are by the id of the user, with the seconds before the meeting time."""
        server.meets_at = server.now + timedelta(minutes=10)
        server.make_promise(title="Dinner", place=PLACE, meetsAt=stamp(server.meets_at))
        people = [{"user": user, "membership": "ACCEPTED", "sharing": True} for user in (ADA, BEN)]
        for person in people:
            seconds = arrivals.get(person["user"]["userId"])
            if seconds is not None:
                person["arrival"] = self.arrival(server, person["user"], seconds)
        server.promise.update(status="TRACKING", ownerId=owner, participants=people)

    @staticmethod
    def arrival(server, user, seconds, **more):
        return {"userId": user["userId"], "creditedAt": stamp(server.meets_at - timedelta(seconds=seconds)), "rank": 1, "stage": "CONFIRMED",
                "source": "GPS", "secondsFromMeeting": -seconds, "outcome": "EARLY", **more}

    def meetup(self, server, **options):
        ada = self.begin(server, **options)
        ada.open("#/promise/promise-1")
        ada.see("Dinner", "h1")
        return ada


class ExplanationTests(ExplanationTest):
    def test_an_explanation_opens_though_positions_were_refused(self):
        server = self.fake()
        self.under_way(server, ada=600)
        at = stamp(server.meets_at - timedelta(seconds=600))
        inside = {"seq": 3, "fixTime": at, "receivedAt": at, "errorMetres": 8, "distanceMetres": 12, "use": "STRONG"}
        refused = [{"seq": 1, "receivedAt": at, "use": "REFUSED", "code": "position.outside-window"},
                   {"seq": 2, "receivedAt": at, "use": "REFUSED", "code": "position.of-tomorrow"}, {"seq": 4, "use": "OF_TOMORROW"}]
        server.explanation = {"arrival": self.arrival(server, ADA, 600), "clause": "SETTLED", "fixes": [inside, *refused]}
        ada = self.meetup(server)
        ada.press("Why is Ada there?")
        ada.see("Credited at", "dialog")
        # The evidence follows the reason, for who wants to see it.
        self.assertIsNone(ada.all("dialog details")[0].get_attribute("open"))
        ada.press("How it was decided", css="summary")
        rows = [[cell.text for cell in row.find_elements("css selector", "td")] for row in ada.all("dialog tbody tr")]
        self.assertEqual([row[1:] for row in rows], [
            ["12 m", "8 m", "clearly inside"], ["–", "–", "refused: outside the time for sharing"],
            ["–", "–", "refused: position.of-tomorrow"], ["–", "–", "OF_TOMORROW"]])
        self.assertEqual([row[0] == "–" for row in rows], [False, False, False, True])
        self.assert_accessible(ada, "an explanation with refused positions")
        self.check()

    def test_four_sentences_stand_before_the_evidence(self):
        for language, size, words in (("en-US", (1280, 800), ("Why is Ada there?", "up to 1 min count as on time", "How it was decided")),
                                      ("ko-KR", (360, 740), ("Ada 님의 순위 이유", "1분까지는 정시로 봅니다", "판정 과정"))):
            with self.subTest(language):
                server = self.fake()
                self.under_way(server, ada=600)
                server.promise["rule"] = {"name": "ROBUST", "graceMs": 60_000}
                at = lambda seconds: stamp(server.meets_at + timedelta(seconds=seconds))
                server.explanation = {
                    "arrival": {**self.arrival(server, ADA, -19), "outcome": "ON_TIME"}, "clause": "SETTLED", "provisionalAt": at(30), "confirmedAt": at(240),
                    "crossing": {"outsideAt": at(10), "insideAt": at(20), "outsideDistanceMetres": 71, "insideDistanceMetres": 48, "uncertaintyMs": 4000},
                    "revisions": [{"at": at(30), "cause": "arrived"}], "ruleVersion": 2,
                    "fixes": [{"seq": 3, "fixTime": at(20), "receivedAt": at(20), "errorMetres": 8, "distanceMetres": 48, "use": "STRONG"}]}
                ada = self.meetup(server, language=language, size=size, mobile=size[0] < 800)
                ada.press(words[0])
                ada.see(words[1], "dialog")
                shown = [one.text for one in ada.all("dialog li, dialog h3, dialog td") if one.text]
                self.assertEqual(len(shown), 4, shown)
                ada.press(words[2], css="summary")
                ada.wait(lambda: ada.find("dialog table"), "the positions are not shown")
                self.assert_accessible(ada, "an explanation in " + language)
        self.check()

    def test_the_reason_is_offered_to_whom_the_server_tells_it(self):
        server = self.fake()
        self.under_way(server, owner="ben", ada=600, ben=500)
        ada = self.meetup(server)
        ada.see("Ben", ".ranking")
        offered = lambda: [one.get_attribute("aria-label") for one in ada.all(".ranking button.small") if one.is_displayed()]
        self.assertEqual(offered(), ["Why is Ada there?"])
        server.push({"promiseId": "promise-1", "seq": 2, "at": stamp(server.now), "handedOver": {"ownerId": "ada"}})
        ada.wait(lambda: len(offered()) == 2, "the owner cannot ask for Ben's reason")
        server.push({"promiseId": "promise-1", "seq": 3, "at": stamp(server.now), "handedOver": {"ownerId": "ben"}})
        ada.wait(lambda: len(offered()) == 1, "Ben's reason stays")
        rows = [{"user": user, "rank": rank + 1, "outcome": "EARLY", "creditedAt": stamp(server.now)} for rank, user in enumerate((ADA, BEN))]
        server.push({"promiseId": "promise-1", "seq": 4, "at": stamp(server.now), "resultFinal": {"result": {"rows": rows, "finalAt": stamp(server.now)}}})
        for name, count in (("Ada", 1), ("Ben", 0)):
            ada.press(name, within=".result")
            ada.see("Statistics", "dialog")
            self.assertEqual(len(ada.all("dialog .buttons button")), count, name)
            ada.press("Close", within="dialog")
        self.check()

    def test_a_person_without_an_arrival_reads_why_and_the_way_out(self):
        server = self.fake()
        self.under_way(server)
        ada = self.meetup(server)
        ada.see("Ada", ".people")
        self.assertEqual(self.shown(ada, ".people [aria-label^='Why']"), [])
        for metres, offered in ((251, []), (250, ["Why has Ada not arrived?"])):
            position = {"userId": "ada", "latitude": PLACE["latitude"], "longitude": PLACE["longitude"], "distanceMetres": metres}
            server.push({"promiseId": "promise-1", "at": stamp(server.now), "positions": {"positions": [position]}})
            ada.see(f"{metres} m", ".people")
            self.assertEqual(self.shown(ada, ".people [aria-label^='Why']"), offered)
        at = stamp(server.now - timedelta(minutes=3))
        server.explanation = {"ruleVersion": 2, "fixes": [
            {"seq": 1, "fixTime": at, "receivedAt": at, "errorMetres": 84.2, "distanceMetres": 12, "use": "UNUSABLE", "limitMetres": 70}],
            "noArrival": {"reason": "TOO_INACCURATE", "limitMetres": 70, "accepted": 38, "unusable": 38, "unusableInside": 38,
                          "leastErrorMetres": 84.2, "lastAt": at}}
        ada.press("Why has Ada not arrived?")
        ada.see("Your phone was near the place 38 times, but knew its position only to within 85 m.", "dialog")
        ada.see("The phone sent nothing after", "dialog")
        ada.see("If you are there, press “I’m here”.", "dialog")
        ada.press("How it was decided", css="summary")
        ada.see("Version of the arrival rule: 2", "dialog")
        ada.see("85 mtoo inaccurate, needs 70 m", "dialog table")
        self.assert_accessible(ada, "no arrival")
        self.check()

    @staticmethod
    def shown(browser, css):
        return [one.get_attribute("aria-label") for one in browser.all(css) if one.is_displayed()]

    def test_the_sentences_come_on_whichever_page_the_positions_begin(self):
        server = self.fake()
        self.under_way(server, ada=600)
        pages = {None: {"revisions": [{"at": stamp(server.now), "cause": "arrived"}], "cursor": "1"},
                 "1": {"revisions": [{"at": stamp(server.now), "cause": "confirmed"}], "cursor": "2"},
                 "2": {"arrival": self.arrival(server, ADA, 600), "clause": "SETTLED", "fixes": [{"seq": 1, "use": "REFUSED"}],
                       "cameTogether": [{"user": BEN, "medianDistanceMetres": 9}]}}
        server.on_explainArrival = lambda fields: {"explanation": {"user": ADA, **pages[fields.get("cursor")]}}
        ada = self.meetup(server)
        ada.press("Why is Ada there?")
        ada.see("You and Ben came together: your phones were 9 m apart", "dialog")
        ada.press("How it was decided", css="summary")
        self.assertEqual(len(ada.all("dialog h3 + ul li")), 2)
        self.check()

    def test_positions_that_cannot_count_are_told_with_the_way_out(self):
        server = self.fake()
        self.under_way(server)
        ada = self.meetup(server)
        told = {"promiseId": "promise-1", "at": stamp(server.now), "cannotCount": {"errorMetres": 83.4, "limitMetres": 70}}
        server.push(told)
        words = "Your position here is known only to within 84 m. To count, it must be known to 70 m or better."
        ada.see(words, ".own [role=alert]")
        ada.see("press “I’m here”", ".own [role=alert]")
        self.assertEqual(ada.all(".toast"), [])
        self.shots(ada, "cannot-count")
        # It stays over other screens, which say it too, and ends with the arrival.
        ada.press("Friends")
        ada.see("No friends yet")
        server.push(told)
        ada.see(words, ".toast")
        ada.open("#/promise/promise-1")
        ada.see(words, ".own [role=alert]")
        server.push({"promiseId": "promise-1", "seq": 2, "at": stamp(server.now), "arrived": {"arrival": self.arrival(server, ADA, 0)}})
        ada.wait(lambda: not self.shown(ada, ".own .doubt"), "it stays after the arrival")
        self.check()
