"""Frames are made and read alike, whole or in pieces."""

import unittest

from promised import frames

SIZES = (0, 1, 125, 126, 65_535, 65_536)


class FrameTests(unittest.TestCase):
    def test_frames_of_each_form_are_read_back(self):
        for size in SIZES:
            for key in (None, frames.MASK, frames.ZERO_MASK):
                payload = bytes(index % 251 for index in range(size))
                buffer = bytearray(frames.frame(frames.BINARY, payload, key=key) + b"next")
                self.assertEqual(frames.read(buffer), (0x82, key, payload), (size, key))
                self.assertEqual(buffer, b"next")

    def test_half_a_frame_is_none_and_stays(self):
        for size in SIZES:
            whole = frames.frame(frames.TEXT, b"x" * size)
            for count in {0, 1, 2, 3, 5, 9, len(whole) - 1}:
                buffer = bytearray(whole[:count])
                if count < len(whole):
                    self.assertIsNone(frames.read(buffer))
                    self.assertEqual(buffer, whole[:count])

    def test_a_mask_changes_the_bytes_that_travel(self):
        self.assertEqual(frames.frame(frames.TEXT, b"Hello", key=bytes.fromhex("37fa213d")),
                         bytes.fromhex("818537fa213d7f9f4d5158"))  # RFC 6455 §5.7

    def test_a_frame_above_the_largest_is_refused_before_it_is_whole(self):
        buffer = bytearray(frames.frame(frames.TEXT, key=None, announced=1_001))
        self.assertIsNone(frames.read(buffer, largest=1_001))
        with self.assertRaisesRegex(frames.TooLarge, "1001 bytes"):
            frames.read(buffer, largest=1_000)

    def test_the_accepted_key_is_that_of_the_standard(self):
        self.assertEqual(frames.accept(frames.KEY), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")  # RFC 6455 §1.3

    def test_headers_of_an_upgrade_are_replaced_left_out_and_repeated(self):
        head = frames.upgrade(changes={"Upgrade": None, "Host": ["a", "b"], "Origin": "c"}, more=["X: d"])
        self.assertNotIn(b"Upgrade: websocket", head)
        self.assertIn(b"Host: a\r\nHost: b\r\n", head)
        self.assertTrue(head.endswith(b"\r\nOrigin: c\r\nX: d\r\n\r\n"))

    def test_a_close_frame_has_a_code_or_none(self):
        for code in (1_000, 4_999, None):
            _, _, payload = frames.read(bytearray(frames.close(code, key=None)))
            self.assertEqual(frames.close_code(payload), code)


if __name__ == "__main__":
    unittest.main()
