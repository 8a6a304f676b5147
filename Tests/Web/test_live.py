"""The screen of a promise under way, at a fake server: people first, everything else folded."""

from datetime import timedelta

from fakeanswers import ADA, outlook, stamp
from test_explanation import PLACE, ExplanationTest

NAMES = ("Bada", "Christopher", "김하늘", "Maru", "Noeul", "Sol")
LIVE = {"freshness": "LIVE"}
SIZES = (("en-US", (360, 740)), ("ko-KR", (360, 740)), ("en-US", (1280, 800)), ("ko-KR", (1280, 800)))


class LiveTests(ExplanationTest):
    def on_the_way(self, server):
        """Ada, six others, and one who has not answered; two have arrived."""
        self.under_way(server)
        people = [self.person(server, ADA, 797, "ON_TIME")]
        for index, name in enumerate(NAMES):
            user = {"userId": f"u{index}", "nickname": name}
            people.append(self.person(server, user, 20 + 612.4 * index, ("ON_TIME", "AT_RISK", "LATE")[index % 3]))
            if index < 2:
                people[-1]["arrival"] = {**self.arrival(server, user, 600 - index), "rank": index + 1, "stage": ("CONFIRMED", "PROVISIONAL")[index]}
        people.append({"user": {"userId": "i", "nickname": "Iseul"}, "membership": "INVITED"})
        server.promise.update(participants=people, note="Bring the umbrella.\nWe meet behind the square.",
                              place={**PLACE, "address": "110 Sejong-daero"}, penalty={"amount": 5000, "currency": "KRW"})

    @staticmethod
    def person(server, user, metres, state):
        position = {"userId": user["userId"], "latitude": PLACE["latitude"] + metres / 111_320, "longitude": PLACE["longitude"],
                    "distanceMetres": metres, "fixTime": stamp(server.now)}
        return {"user": user, "membership": "ACCEPTED", "sharing": True, "position": position,
                "presence": {"userId": user["userId"], **LIVE}, "eta": {"state": state, "medianAt": stamp(server.meets_at)}}

    def test_every_name_is_at_most_one_swipe_away(self):
        for language, size in SIZES:
            with self.subTest(language=language, size=size):
                server = self.fake()
                self.on_the_way(server)
                ada = self.meetup(server, language=language, size=size, mobile=size[0] < 800)
                ada.see("Iseul", ".people")
                far = ada.driver.execute_script("""
                    const panel = document.querySelector('#panel'), top = panel.getBoundingClientRect().top;
                    const ends = [...document.querySelectorAll('.standing li')].map((one) => one.getBoundingClientRect().bottom - top);
                    return [ends.length, Math.max(...ends), panel.clientHeight];""")
                self.assertEqual(far[0], 8)
                self.assertLessEqual(far[1], 2 * far[2], "a name takes more than one swipe")
                texts = ada.driver.execute_script("return [...document.querySelectorAll('.standing .who > span:last-child')].map((one) => one.offsetHeight)")
                self.assertLess(max(texts), 30, "a name takes several lines")
                self.assert_accessible(ada, f"under way in {language}")
                self.in_the_dark(ada, f"under-way-{size[0]}-{language[:2]}-dark")
        self.check()

    def test_terms_and_weather_fold_away_and_open_at_a_press(self):
        for language, words in (("en-US", ("At the meeting time", "Rain", "Roads may be slippery")), ("ko-KR", ("약속 시간에는", "비", "길이 미끄러울 수 있음"))):
            with self.subTest(language):
                server = self.fake()
                self.on_the_way(server)
                ada = self.meetup(server, language=language, size=(360, 740), mobile=True)
                folded = lambda: [one.get_attribute("open") is None for one in ada.all(".facts, .fold")]
                ada.see(words[1], ".fold summary")
                ada.see(words[2], ".fold summary")
                self.assertEqual(folded(), [True, True])
                ada.find(".facts summary").click()
                ada.see("umbrella", ".note")
                ada.see("₩5,000", ".facts")
                ada.see("110 Sejong-daero", ".facts")
                fold = ada.find(".fold summary")
                ada.driver.execute_script("arguments[0].scrollIntoView()", fold)
                fold.click()
                ada.see("88", ".fold .measures")
                # The folds that the user opened stay open while positions come.
                position = {**self.person(server, ADA, 500, "ON_TIME")["position"], "distanceMetres": 500}
                server.push({"promiseId": "promise-1", "at": stamp(server.now), "positions": {"positions": [position]}})
                ada.see("500 m", ".people")
                self.assertEqual(folded(), [False, False])
                self.assert_accessible(ada, f"unfolded in {language}")
        self.check()

    def test_terms_and_weather_are_open_before(self):
        server = self.fake()
        self.on_the_way(server)
        server.promise.update(status="SCHEDULED", opensAt=stamp(server.now + timedelta(minutes=5)))
        ada = self.meetup(server)
        ada.see("umbrella", ".note")
        ada.see("Rain", ".outlook")
        ada.see("You can share your position from", ".own")
        self.check()

    def test_a_closed_place_is_told_although_the_weather_is_folded(self):
        server = self.fake()
        self.on_the_way(server)
        ada = self.meetup(server)
        ada.see("Rain", ".fold summary")
        server.push({"promiseId": "promise-1", "at": stamp(server.now), "weatherChanged": {"outlook": outlook(server.meets_at, "CLOSED")}})
        ada.see("Closed at that time.", ".fold summary")
        self.check()

    def test_the_own_state_is_one_line_that_tells_what_others_see(self):
        for language, words in (
                ("en-US", ("Nobody sees you", "Shared by another device", "Others see your last position", "Stop sharing")),
                ("ko-KR", ("내 위치는 아무에게도 보이지 않습니다", "다른 기기에서 위치 공유 중", "내 마지막 위치가 남에게 보입니다", "공유 중지"))):
            with self.subTest(language):
                server = self.fake()
                self.under_way(server)
                ada = self.meetup(server, language=language, size=(360, 740), mobile=True)
                line = lambda: ada.find(".own .sign").text
                ada.see(words[0], ".own .sign")
                self.assertLessEqual(ada.find(".own-line").rect["height"], 64)
                push = lambda **event: server.push({"promiseId": "promise-1", "at": stamp(server.now), **event})
                push(positions={"positions": [self.person(server, ADA, 500, "ON_TIME")["position"]]}, )
                push(presence={"presences": [{"userId": "ada", "freshness": "LIVE"}]})
                ada.wait(lambda: line() == words[1], "the other device is not told")
                push(presence={"presences": [{"userId": "ada", "freshness": "STALE", "cause": "OFFLINE"}]})
                ada.wait(lambda: line() == words[2], "the old position is not told")
                self.assert_accessible(ada, f"the own state in {language}")
                ada.press(words[3])
                ada.wait(lambda: server.asked("setSharing") == [{"promiseId": "promise-1", "on": False}], "it is not stopped")
                ada.wait(lambda: line() == words[0], "the stop is not told")
        self.check()
