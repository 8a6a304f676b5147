"""The table of a result, at a fake server."""

from datetime import timedelta

from fakeanswers import ADA, stamp
from test_explanation import ExplanationTest

LONG = "Christopher Montgomery-Smith"


class ResultTests(ExplanationTest):
    def finish(self, server):
        """The result: one of each outcome, with a large penalty."""
        users = [ADA, *({"userId": f"u{index}", "nickname": name} for index, name in enumerate(("Bada", LONG, "김하늘", "Christopher")))]
        rows = [{"user": user, "outcome": outcome} for user, outcome in zip(users, ("EARLY", "ON_TIME", "LATE", "NO_SHOW", "EXCUSED"))]
        for rank, (row, seconds) in enumerate(zip(rows, (-605, 19, 3905))):
            row.update(rank=rank + 1, creditedAt=stamp(server.meets_at + timedelta(seconds=seconds)), secondsFromMeeting=seconds)
        for row in rows[2:4]:
            row["penaltyOwed"] = 500_000
        result = {"rows": rows, "finalAt": stamp(server.now), "penalty": {"amount": 500_000, "currency": "EUR"}, "penaltyTotal": 1_000_000}
        server.push({"promiseId": "promise-1", "seq": 2, "at": stamp(server.now), "resultFinal": {"result": result}})

    def test_a_table_of_long_names_times_and_amounts_fits(self):
        for language, size in (("en-US", (1280, 800)), ("en-US", (1920, 1080)), ("ko-KR", (1280, 800)), ("en-US", (360, 740)),
                               ("ko-KR", (360, 740)), ("en-US", (320, 640))):
            with self.subTest(language=language, size=size):
                server = self.fake()
                self.under_way(server)
                ada = self.meetup(server, language=language, size=size, mobile=size[0] < 800)
                self.finish(server)
                ada.see(LONG, ".result")
                whole, shown = ada.driver.execute_script("const { scrollWidth, clientWidth } = document.querySelector('.result .scroll'); return [scrollWidth, clientWidth]")
                self.assertLessEqual(whole, shown, "the amounts are cut")
                heights = ada.driver.execute_script("return [...document.querySelectorAll('.result .who > span:last-child')].map((one) => one.offsetHeight / parseFloat(getComputedStyle(one).fontSize))")
                self.assertLess(heights[1], 2, "a short name takes several lines")
                self.assertLess(heights[4], 3.5, "a name of eleven letters takes more than two lines")
                self.assertLess(heights[2], 9, "a long name stands on end")
                self.assertEqual(len(ada.all(".result .outcome")), 5)
                self.assert_accessible(ada, f"the result in {language}")
        self.check()
