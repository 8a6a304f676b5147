"""Two people become friends, meet, and read the result."""

import time

from page import FAST, PLACE, PageTest


class MeetingTests(PageTest):
    def test_two_people_meet(self):
        server = self.serve(*FAST)
        ada, bea = self.browse(server), self.browse(server, size=(390, 844), mobile=True)
        for browser, name, device in ((ada, "Ada", "desktop"), (bea, "Bea", "phone")):
            browser.open()
            browser.see("Sign in", "button")
            browser.shot(f"welcome-{device}-light")
            self.in_the_dark(browser, f"welcome-{device}-dark")
            browser.sign_up(name)
        self.assert_accessible(ada, "no promises")
        self.become_friends(ada, bea)
        self.make_promise(ada)
        ada.see("Planned", ".chip")
        ada.shot("planned-desktop-light")
        self.assert_accessible(ada, "planned")
        self.accept_invitation(bea)
        self.share(ada, bea)
        self.arrive(ada, bea)
        self.reload_and_leave(ada, bea)
        self.see_result(ada, bea)
        self.check()

    def become_friends(self, ada, bea):
        ada.press("Friends")
        ada.fill("nickname", "bea")
        ada.press("Send request")
        ada.see("Request sent to Bea")
        bea.see("Ada wants to be your friend", seconds=3)
        bea.press("Friends")
        bea.press("Accept Ada")
        bea.press("Statistics: Ada")
        bea.see("No promise counted yet.", "dialog")
        self.assert_accessible(bea, "a dialog")
        bea.press("Close")
        bea.shot("friends-phone-light")
        ada.see("You and Bea are friends", seconds=3)
        ada.see("Bea", ".row")
        self.assert_accessible(ada, "friends")

    def make_promise(self, ada):
        ada.press("Promises")
        ada.shot("empty-desktop-light")
        ada.press("New promise")
        ada.see("Bea", "form label")
        self.assert_accessible(ada, "the form")
        # Clicking the map fills the coordinates in; typing them is exact.
        ada.find("#map").click()
        ada.wait(lambda: ada.find("[name=latitude]").get_property("value") != "", "the map's click chose nothing")
        ada.fill("latitude", PLACE[0])
        ada.fill("longitude", PLACE[1])
        ada.fill("title", "Dinner in Seoul")
        ada.fill("placeName", "Town hall")
        ada.fill("amount", "5")
        ada.fill("meetsAt", self.in_six_minutes(ada))
        ada.find("[name=invitee]").click()
        ada.shot("new-desktop-light")
        ada.press("Create promise")
        ada.see("Dinner in Seoul", "h1")

    @staticmethod
    def in_six_minutes(browser):
        """A time at least six minutes of the server's clock ahead, as the form has it: to the minute, local time."""
        script = """
            const done = arguments[0];
            Promise.all([import('/assets/promised.js'), import('/assets/format.js')]).then(([{ PromisedClient }, format]) => {
              const client = new PromisedClient({ tabStorage: null, strict: true });
              client.addEventListener('clock', () => {
                done(format.localInput(Math.ceil((client.clock.now() + 360000) / 60000) * 60000));
                client.close();
              });
              client.connect();
            });
        """
        return browser.driver.execute_async_script(script)

    def accept_invitation(self, bea):
        bea.press("Promises")
        bea.see("Invitations", "h2")
        bea.shot("invited-phone-light")
        self.assert_accessible(bea, "invited")
        bea.press("Accept: Dinner in Seoul")
        bea.see("Dinner in Seoul", "h1")
        bea.shot("planned-phone-light")

    def share(self, ada, bea):
        ada.locate(PLACE[0] + 0.0025, PLACE[1])
        bea.locate(PLACE[0], PLACE[1] + 0.003)
        for browser in (ada, bea):
            browser.see("Live", ".chip", seconds=30)
            browser.press("Share my position")
            browser.see("It is deleted a day after the result", "dialog")
            browser.press("Share", within="dialog")
            browser.see("You are sharing your position")
        ada.see("264 m", ".people")
        bea.see("27", ".people")
        ada.locate(PLACE[0] + 0.0018, PLACE[1] + 0.0004)
        bea.locate(PLACE[0] + 0.0001, PLACE[1] + 0.002)
        bea.see("203 m", ".people")
        ada.shot("live-desktop-light")
        bea.shot("live-phone-light")
        self.in_the_dark(ada, "live-desktop-dark")
        self.in_the_dark(bea, "live-phone-dark")
        self.assert_accessible(ada, "live")

    def arrive(self, ada, bea):
        bea.locate(PLACE[0], PLACE[1] + 0.0008)
        bea.see("7", ".people")
        bea.locate(PLACE[0], PLACE[1] + 0.0001)
        bea.see("Bea", ".ranking", seconds=20)
        seen = time.monotonic()
        ada.see("Bea", ".ranking", seconds=20)
        self.assertLess(time.monotonic() - seen, 1, "an arrival takes more than a second to the other")
        ada.see("Bea has arrived (1st)", ".timeline")
        ada.shot("arrived-desktop-light")
        bea.see("confirmed", ".ranking", seconds=20)
        bea.shot("arrived-phone-light")
        self.in_the_dark(bea, "arrived-phone-dark")
        ada.press("Why is Bea there?")
        ada.see("Credited at", "dialog")
        ada.shot("explanation-desktop-light")
        self.assert_accessible(ada, "the explanation")
        ada.press("Close", within="dialog")

    def reload_and_leave(self, ada, bea):
        ada.driver.refresh()
        ada.see("Bea", ".ranking")
        ada.see("Bea has arrived (1st)", ".timeline")
        ada.see("You are sharing your position")
        bea.see("Your position is no longer sent", ".own")

    def see_result(self, ada, bea):
        for browser in (ada, bea):
            browser.see("Final", ".chip", seconds=90)
            browser.see("No-show", ".result")
            browser.see("5.00", ".result")
        ada.shot("final-desktop-light")
        bea.shot("final-phone-light")
        self.in_the_dark(ada, "final-desktop-dark")
        ada.press("Ada", css="button", within=".result")
        ada.see("No-shows", "dialog")
        self.assert_accessible(ada, "statistics")
