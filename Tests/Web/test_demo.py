"""The demo opens straight into a meetup."""

from harness import Demo
from page import PageTest


class DemoTests(PageTest):
    def test_the_address_that_the_demo_prints_opens_a_meetup_once(self):
        demo = self.enterContext(Demo("--speed", "120"))
        viewer = self.browse(demo)
        viewer.open("#" + demo.fragment)
        viewer.see("Dinner in Seoul", "h1")
        self.assertRegex(viewer.driver.current_url, r"/#/promise/[0-9a-f-]+$")
        viewer.see("Live", ".chip", seconds=60)
        viewer.see("confirmed", ".ranking", seconds=90)
        viewer.shot("demo-desktop-light")
        self.assert_accessible(viewer, "the demo")
        viewer.driver.refresh()
        viewer.see("Dinner in Seoul", "h1")
        other = self.browse(demo)
        other.open("#" + demo.fragment)
        other.see("This link signs in once.", ".toast")
        other.see("Sign in", "button")
        self.assertEqual(other.driver.current_url, demo.url + "/")
        code = demo.fragment.split("=")[1]
        for browser in (viewer, other):
            self.assertEqual([url for url in browser.addresses() if code in url], [], "the code was sent in an address")
        self.check()
