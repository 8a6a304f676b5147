"""Makes pictures of every screen at 360 and 1280 pixels, in English and Korean, light and dark.

    pictures.py FOLDER
"""

import pathlib
import sys
import unittest

import harness
from screens import LANGUAGES, ScreensTest


class Pictures(ScreensTest):
    def test_pictures(self):
        for language in LANGUAGES:
            server, ada = self.stage(language)

            def look(name, width):
                # The map's tiles and glides, and pictures that are being decoded.
                ada.driver.execute_async_script("setTimeout(arguments[0], 400)")
                for dark in (False, True):
                    ada.scheme(dark)
                    ada.shot(f"{name}-{width}-{language[:2]}-{'dark' if dark else 'light'}")
                ada.scheme(False)

            self.visit_all(server, ada, look)


if __name__ == "__main__":
    harness.SHOTS = pathlib.Path(sys.argv.pop())
    unittest.main(argv=sys.argv[:1])
