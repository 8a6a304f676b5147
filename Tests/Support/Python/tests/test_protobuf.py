"""The wire format without a schema, and what is none."""

import unittest

from promised import protobuf


class WireFormatTests(unittest.TestCase):
    def test_numbers_are_read_back(self):
        for value in (0, 1, 127, 128, 300, 2**32, 2**64 - 1):
            data = protobuf.varint(value)
            self.assertEqual(protobuf.read_varint(data, 0), (value, len(data)))

    def test_fields_are_read_back(self):
        data = protobuf.number(1, -1) + protobuf.part(2, "é") + protobuf.tag(3, protobuf.FIXED64) + bytes(8)
        self.assertEqual(protobuf.fields(data), [(1, 2**64 - 1), (2, "é".encode()), (3, bytes(8))])
        self.assertEqual(protobuf.unpacked(protobuf.packed([1, 300, -1])), [1, 300, 2**64 - 1])

    def test_data_that_end_early_or_have_groups_are_no_message(self):
        for data in (b"\x80", b"\x08", b"\x12\x05abc", b"\x0d\0\0", b"\x09\0", b"\x0b\x0c", b"\x08" + b"\xff" * 11):
            with self.assertRaises(ValueError, msg=data):
                protobuf.fields(data)


if __name__ == "__main__":
    unittest.main()
