"""The page when the connection or the session ends."""

from page import PLACE, PageTest
from proxy import Proxy


class ConnectionTests(PageTest):
    def test_a_cut_connection_resumes_without_a_reload(self):
        server = self.serve("--set", "window.before=5m")
        robots = self.robots(server)
        with Proxy(server.port) as proxy:
            ada = self.browse(proxy)
            ada.sign_up("Ada")
            robots("make('Bea')")
            promise = robots("promise('Bea', 305000, {})")
            code = robots(f"call('Bea', 'createInvite', {{ promiseId: '{promise['promiseId']}' }})")["code"]
            ada.press("Join with a code")
            ada.fill("code", code)
            ada.press("Join", within="dialog")
            ada.see("Dinner", "h1")
            ada.driver.execute_script("window.isSamePage = true")
            ada.see("Live", ".chip", seconds=30)
            robots(f"report('Bea', '{promise['promiseId']}', {PLACE[0] + 0.002}, {PLACE[1]})")
            ada.see("222 m", ".people")
            proxy.cut()
            ada.see("Reconnecting", "#banner")
            ada.shot("reconnecting-desktop-light")
            self.assert_accessible(ada, "reconnecting")
            # The page catches up with the changes of the meantime; a user who pauses is gone from the map.
            robots(f"call('Bea', 'setSharing', {{ promiseId: '{promise['promiseId']}', on: false }})")
            robots(f"call('Bea', 'updatePromise', {{ promiseId: '{promise['promiseId']}', version: 1, title: 'Supper' }})")
            proxy.mend()
            ada.press("Connect now")
            ada.see("Supper", "h1")
            ada.see("no position yet · sharing paused", ".people")
            ada.wait(lambda: not ada.find("#banner", 0.1) if ada.all("#banner:not([hidden])") else True, "the banner stays")
            self.assertTrue(ada.driver.execute_script("return window.isSamePage"))
            self.check(ignoring=["WebSocket connection to", "ERR_"])

    def test_signing_out_forgets_everything(self):
        server = self.serve()
        ada = self.browse(server)
        ada.sign_up("Ada")
        ada.press("Ada")
        ada.press("Sign out", within="section:last-child > .buttons")
        ada.see("Sign in", "button")
        ada.driver.refresh()
        ada.see("Sign in", "button")
        self.assertIsNone(ada.driver.execute_script("return localStorage.getItem('promised.session')"))
        ada.fill("email", "nobody@example.org")
        ada.fill("password", "wrong wrong")
        ada.press("Sign in", css="button[type=submit]")
        ada.see("The e-mail or the password is wrong.", ".error")
        self.assert_accessible(ada, "a refused sign-in")
        self.check()
