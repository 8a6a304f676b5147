"""The common part of the tests of the directory of places. The server is a fake one."""

from fakeserver import FakeServer
from page import PageTest
from selenium.webdriver.common.action_chains import ActionChains


class PlacesTest(PageTest):
    """Ada at a browser of a fake server."""

    def fake(self, **options):
        return self.enterContext(FakeServer(**options))

    def begin(self, server, **options):
        ada = self.browse(server, **options)
        ada.sign_up("Ada")
        return ada

    def places(self, server, **options):
        ada = self.begin(server, **options)
        ada.press("Places")
        ada.see("places", "[role=status]")
        return ada

    def names(self, browser):
        return [one.text for one in browser.all(".places .cover")]

    def click_map(self, browser, x, y):
        """Clicks the map at a point, from its middle."""
        ActionChains(browser.driver).move_to_element_with_offset(browser.find("#map"), x, y).click().perform()

    def shots(self, browser, name):
        """Pictures and accessibility of what is shown: wide and narrow, light and dark."""
        self.assert_accessible(browser, name)
        browser.shot(f"{name}-desktop-light")
        self.in_the_dark(browser, f"{name}-desktop-dark")
        browser.resize(390, 844, mobile=True)
        browser.shot(f"{name}-phone-light")
        self.in_the_dark(browser, f"{name}-phone-dark")
        browser.resize(1280, 800)
