"""Acts on promises and between people: every button is pressed."""

import json

from page import PLACE, PageTest


class ActionTest(PageTest):
    """Ada at a browser, and robots around her."""

    def gather(self, server, *names):
        """Signs up Ada in a browser, and robots."""
        self.call = self.robots(server)
        self.call("make(" + ",".join(f"'{name}'" for name in names) + ")")
        ada = self.browse(server)
        ada.sign_up("Ada")
        return ada

    def request(self, name, request, **fields):
        return self.call(f"call('{name}', '{request}', {json.dumps(fields)})")

    def promise(self, owner, ahead, *guests, title="Dinner"):
        """A promise of a robot, which others join by its code; browsers by typing it. @returns its id"""
        promise_id = self.call(f"promise('{owner}', {ahead}, {{ title: '{title}' }})")["promiseId"]
        code = self.request(owner, "createInvite", promiseId=promise_id)["code"]
        for guest in guests:
            if isinstance(guest, str):
                self.request(guest, "joinByCode", code=code)
                continue
            guest.press("Promises")
            guest.press("Join with a code")
            guest.fill("code", code)
            guest.press("Join", within="dialog")
            guest.see(title, "h1")
        return promise_id

    def become_owner(self, promise_id):
        """Bea hands the promise over to Ada."""
        self.request("Bea", "handOver", promiseId=promise_id, userId=self.id_of("Ada", promise_id))

    def id_of(self, nickname, promise_id):
        """The id of somebody in a promise of Bea's."""
        people = self.request("Bea", "getPromise", promiseId=promise_id)["promise"]["participants"]
        return next(one["user"]["userId"] for one in people if one["user"]["nickname"] == nickname)

    def choose(self, browser, *labels):
        """Ticks people in a dialog."""
        for label in labels:
            browser.press(label, css="label", within="dialog")

    def sure(self, browser, label):
        """Says yes to a question."""
        browser.find("dialog")
        browser.press(label, within="dialog")
        browser.wait(lambda: not browser.all("dialog"), "the dialog stays")


class OwnerTests(ActionTest):
    def test_an_owner_changes_invites_removes_and_hands_over(self):
        server = self.serve()
        ada = self.gather(server, "Bea", "Cem", "Dan")
        self.request("Cem", "requestFriend", nickname="Ada")
        ada.press("Friends")
        ada.press("Accept Cem")
        promise_id = self.promise("Bea", 3_600_000, ada)
        self.become_owner(promise_id)
        ada.see("Ada is the new owner", ".timeline")
        self.edit(ada)
        self.invite(ada)
        self.use_the_code(ada)
        self.remove_and_hand_over(ada)
        self.check()

    def edit(self, ada):
        ada.press("Edit")
        ada.see("Edit promise", "h1")
        self.assertEqual(ada.find("[name=title]").get_property("value"), "Dinner")
        ada.fill("title", "Supper")
        ada.fill("radius", 80)
        ada.fill("note", "Second floor")
        self.assert_accessible(ada, "editing")
        ada.press("Save")
        ada.see("Supper", "h1")
        ada.see("within 80 m", ".facts")
        ada.see("Second floor", ".note")
        ada.see("The promise was changed", ".timeline")

    def invite(self, ada):
        ada.press("Invite friends")
        self.choose(ada, "Cem")
        self.assert_accessible(ada, "inviting")
        self.sure(ada, "Invite")
        ada.see("Invited: Cem", ".timeline")
        ada.see("invited", ".people")

    def use_the_code(self, ada):
        ada.press("Create an invite link")
        code = ada.find(".invite-code strong").text
        promise = self.request("Dan", "joinByCode", code=code)["promise"]
        self.request("Cem", "respond", promiseId=promise["promiseId"], accept=True)
        for name in ("Cem", "Dan"):
            ada.see(f"{name} joined", ".timeline")
        self.assert_accessible(ada, "managing")
        ada.shot("owner-desktop-light")
        ada.press("Revoke the link", within=".manage")
        ada.see("The link no longer works")
        with self.assertRaisesRegex(AssertionError, "This code|code"):
            self.request("Dan", "joinByCode", code=code)

    def remove_and_hand_over(self, ada):
        ada.press("Remove people")
        self.choose(ada, "Dan")
        self.sure(ada, "Remove")
        ada.see("Dan was removed", ".timeline")
        ada.press("Hand over")
        self.choose(ada, "Cem")
        self.sure(ada, "Hand over")
        ada.see("Cem is the new owner", ".timeline")
        self.assertFalse(ada.find(".manage").text.count("Edit"), "only owners edit")
        ada.press("Leave")
        self.sure(ada, "Leave")
        ada.see("Promises", "h1")
        ada.see("No promises yet", ".empty")

    def test_an_owner_cancels(self):
        server = self.serve()
        ada = self.gather(server, "Bea")
        promise_id = self.promise("Bea", 3_600_000, ada)
        self.become_owner(promise_id)
        ada.press("Cancel promise")
        ada.see("for everybody?", "dialog")
        self.sure(ada, "Cancel promise")
        ada.see("Cancelled", ".chip")
        ada.see("The promise was cancelled", ".timeline")
        self.assert_accessible(ada, "cancelled")
        ada.press("Promises")
        ada.see("Past", "h2")
        self.check()

    def test_an_owner_excuses(self):
        server = self.serve("--clock-rate", "20", "--set", "window.before=1m", "--set", "window.after=1m",
                            "--set", "window.settle=10s", "--set", "arrival.grace=10s")
        ada = self.gather(server, "Bea")
        promise_id = self.promise("Bea", 180_000, ada)
        self.become_owner(promise_id)
        ada.see("Final", ".chip", seconds=40)
        ada.press("Bea", within=".result")
        ada.press("Excuse Bea", within="dialog")
        ada.fill("reason", "The train stood still", within="dialog")
        self.assert_accessible(ada, "excusing")
        ada.press("Excuse", within="dialog")
        ada.see("Excused", ".result")
        ada.see("Bea is excused", ".timeline")
        ada.press("Bea", within=".result")
        ada.see("The train stood still", "dialog")
        self.check()


class WayTests(ActionTest):
    def test_people_nudge_tell_check_in_and_pause(self):
        server = self.serve("--set", "window.before=5m", "--set", "report.interval=1s")
        ada = self.gather(server, "Bea")
        cem = self.browse(server, size=(390, 844), mobile=True)
        cem.sign_up("Cem")
        promise_id = self.promise("Bea", 305_000, ada, cem)
        ada.see("Live", ".chip", seconds=30)
        self.tell(ada, cem)
        self.nudge(ada, promise_id)
        self.check_in(ada)
        self.check_in_by_code(ada, cem)
        self.check()

    def tell(self, ada, cem):
        ada.press("Set status")
        ada.fill("emoji", "🚌", within="dialog")
        ada.fill("text", "On the bus", within="dialog")
        self.sure(ada, "Save")
        for browser in (ada, cem):
            browser.see("🚌 On the bus", ".status")

    def nudge(self, ada, promise_id):
        ada.press("Nudge Bea")
        ada.see("Bea was nudged", ".toast")
        ada.press("Nudge Bea")
        ada.see("Wait before you do this again.", ".toast")
        self.request("Bea", "nudge", promiseId=promise_id, userId=self.id_of("Ada", promise_id))
        ada.see("Bea nudges you: where are you?", ".toast")

    def check_in(self, ada):
        ada.press("I’m here")
        ada.see("Your position is unknown. Share it first.", ".toast")
        ada.locate(PLACE[0] + 0.003, PLACE[1])
        ada.press("Share my position")
        self.sure(ada, "Share")
        ada.see("You are sharing your position")
        ada.see("334 m", ".people")
        ada.press("I’m here")
        ada.see("You are too far from the place.", ".toast")
        ada.press("Stop sharing")
        ada.see("Nobody sees you", ".own")
        ada.see("sharing paused", ".people")
        ada.locate(PLACE[0] + 0.0001, PLACE[1])
        ada.press("Share my position")
        self.sure(ada, "Share")
        ada.see("11 m", ".people")
        ada.press("I’m here")
        ada.see("You are checked in", ".toast")
        ada.see("confirmed", ".ranking")

    def check_in_by_code(self, ada, cem):
        ada.press("Show a code")
        code = ada.find(".own .code strong").text
        self.assertRegex(code, "^[0-9]{6}$")
        self.assert_accessible(ada, "showing a code")
        for typed, answer in ((str((int(code) + 1) % 1_000_000).zfill(6), "The code is invalid"),
                              (code, "You are checked in")):
            cem.press("Check in by code")
            cem.fill("code", typed, within="dialog")
            self.sure(cem, "Check in by code")
            cem.see(answer, ".toast")
        cem.see("Cem", ".ranking")
        cem.press("Why is Cem there?")
        cem.see("Checked in", "dialog")


class FriendTests(ActionTest):
    def test_people_reject_withdraw_remove_block_and_unblock(self):
        server = self.serve()
        ada = self.gather(server, "Bea", "Cem")
        self.request("Cem", "requestFriend", nickname="Ada")
        ada.press("Friends")
        ada.press("Reject Cem")
        ada.see("No friends yet", ".empty")
        self.ask(ada, "Cem")
        ada.press("Withdraw the request to Cem")
        self.request("Bea", "requestFriend", nickname="Ada")
        ada.press("Accept Bea")
        ada.see("You and Bea are friends", ".toast")
        self.ask(ada, "Nobody")
        ada.see("This user does not exist.", ".error")
        ada.shot("friends-desktop-light")
        ada.press("Remove Bea")
        self.sure(ada, "Remove")
        ada.see("No friends yet", ".empty")
        self.request("Bea", "requestFriend", nickname="Ada")
        ada.press("Accept Bea")
        ada.press("Block Bea")
        self.sure(ada, "Block")
        ada.see("Bea is blocked", ".toast")
        # The server lists nobody who is blocked: after a reload the nickname is the way back.
        ada.driver.refresh()
        self.ask(ada, "Bea")
        ada.see("You have blocked this user.", ".error")
        self.assert_accessible(ada, "a blocked friend")
        ada.press("Unblock Bea")
        ada.see("Bea is no longer blocked", ".toast")
        self.ask(ada, "Bea")
        ada.see("Request sent to Bea", ".toast")
        self.check()

    def ask(self, browser, nickname):
        browser.fill("nickname", nickname)
        browser.press("Send request")
