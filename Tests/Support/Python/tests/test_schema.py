"""Frames in both encodings by the schema, and its options."""

import unittest

from promised.schema import FRAME, Schema

DRAFT = {
    "key": "k", "title": "광화문", "place": {"name": "x", "latitude": 1.5, "longitude": -3}, "radiusMetres": 60,
    "meetsAt": "2026-01-01T00:00:00.500000Z", "inviteeIds": ["a", "b"],
}


class SchemaTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.schema = Schema()

    def both_ways(self, frame):
        return self.schema.decoded_message(FRAME[0], self.schema.encoded(frame))

    def test_a_frame_is_read_back(self):
        for frame in ({"id": 3, "createPromise": DRAFT}, {"id": 4, "getMe": {}},
                      {"id": 5, "putChunk": {"uploadId": "u", "offset": 7.0, "data": "AP8="}},
                      {"id": 6, "updateNotificationSettings": {"off": ["NUDGED"], "quietFrom": "22:00"}}):
            self.assertEqual(self.both_ways(frame), frame)

    def test_a_frame_in_json_takes_unknown_fields_as_padding(self):
        padded = self.schema.encoded({"id": 1, "getMe": {}}, "json", b',"zz":1')
        self.assertEqual(padded, b'{"id": 1, "getMe": {},"zz":1}')

    def test_values_that_are_the_default_do_not_travel(self):
        self.assertEqual(self.schema.encoded({"id": 0, "setSharing": {"promiseId": "", "on": False}}),
                         self.schema.encoded({"setSharing": {}}))

    def test_an_optional_default_travels(self):
        field = next(field for message in self.schema.messages.values() for field in message.fields
                     if message.full_name.startswith(".promised.v1.") and field.is_optional and field.kind == 8)
        name = field.owner.full_name
        self.assertEqual(self.schema.decoded_message(name, self.schema.encoded_message(name, {field.json_name: False})),
                         {field.json_name: False})

    def test_unknown_fields_of_a_reply_are_skipped(self):
        self.assertEqual(self.schema.decoded(self.schema.encoded({"id": 9}) + b"\xf8\x7f\x01"), {"id": 9})

    def test_what_does_not_fit_is_refused(self):
        for frame in ({"id": -1}, {"id": 2**32}, {"id": 1.5}, {"id": True}, {"nothing": 1}, {"getMe": 1},
                      {"createPromise": {**DRAFT, "meetsAt": "tomorrow"}}, {"createPromise": {**DRAFT, "title": 1}},
                      {"createPromise": {**DRAFT, "inviteeIds": "a"}}, {"putChunk": {"data": "=="}},
                      {"updateNotificationSettings": {"off": ["NONE"]}}, {"setSharing": {"on": 1}}):
            with self.assertRaises(ValueError, msg=frame):
                self.schema.encoded(frame)

    def test_options_are_read(self):
        report = self.schema.messages[FRAME[0]].by_json_name["report"]
        option = report.option("request")
        self.assertEqual(option["from"], ["USER"])
        self.assertEqual((option.one("largest_frame"), option.one("takes_message")), (65_536, True))
        self.assertGreater(len(report.alternatives), 50)
        limits = [field.option("allows") for field in self.schema.messages[".promised.v1.CreatePromise"].fields]
        self.assertTrue(any(limit and "max_length" in limit for limit in limits))
        self.assertIsNone(self.schema.messages[FRAME[0]].by_json_name["id"].option("allows"))

    def test_the_files_have_comments_and_names_of_types(self):
        files = {file.one("name"): file for file in self.schema.files()["file"]}
        message = files["promised/v1/frames.proto"]["message_type"][0]
        self.assertEqual(message.one("name"), "ClientFrame")
        self.assertEqual(message["field"][0].one("type"), "TYPE_UINT32")
        comments = [location.one("leading_comments")
                    for location in files["promised/v1/frames.proto"].one("source_code_info")["location"]]
        self.assertIn(" A frame of a client: exactly one request.\n", comments)


if __name__ == "__main__":
    unittest.main()
