"""Somebody whose positions near the place cannot count, at the built server."""

import json

from keptpage import KeptTest
from page import FAST, PLACE


class ArrivalTests(KeptTest):
    def test_a_phone_that_is_too_inaccurate_is_told_so_and_why(self):
        server = self.serve(*FAST)
        ada = self.helped(server, "Ada", size=(390, 844), mobile=True)
        fields = {"title": "Dinner", "place": {"name": "Town hall", "latitude": PLACE[0], "longitude": PLACE[1]}, "radiusMetres": 50}
        promise_id = self.call(ada, f"promise({json.dumps(fields)})")["promise"]["promiseId"]
        ada.open(f"#/promise/{promise_id}")
        ada.locate(PLACE[0] + 0.0001, PLACE[1], accuracy=90)
        ada.press("Share my position")
        ada.press("Share", within="dialog")
        ada.see("Your position here is known only to within 90 m. To count, it must be known to 70 m or better.", ".own [role=alert]", seconds=60)
        ada.press("Why has Ada not arrived?")
        ada.see("but knew its position only to within 90 m. A circle of 50 m needs 70 m or better.", "dialog")
        ada.see("If you are there, press “I’m here”.", "dialog")
        ada.press("How it was decided", css="summary")
        ada.see("too inaccurate, needs 70 m", "dialog td")
        self.assert_accessible(ada, "no arrival")
        ada.press("Close", within="dialog")
        ada.press("I’m here")
        ada.see("confirmed", ".ranking")
        ada.wait(lambda: not [one for one in ada.all(".own .doubt") if one.is_displayed()], "the line stays")
        ada.press("Why is Ada there?")
        ada.see("Checked in by hand.", "dialog")
        self.check()
