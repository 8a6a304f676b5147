"""Marks at tests and the rows that they name, in a small repository."""

import pathlib
import tempfile
import unittest

import coverage

FILES = {
    "docs/coverage.md": """
# Rules

## 2. Users

| no. | rule |
|---|---|
| 2.1 | A nickname has `2` to 20 letters |
| 2.2 | A nickname is unique |

## 3. Friends

| no. | rule |
|---|---|
| 3.1 | Friends are mutual |
""",
    "docs/threat-model.md": """
# Threat model

## Connections

| id | threat | defence |
|---|---|---|
| `slow-loris` | A request that never ends | A deadline |
""",
    "docs/protocol.md": """
## HTTP

| path | response |
|---|---|
| `/healthz` | 200 |
""",
    "proto/promised/v1/frames.proto": """
message ClientFrame {
  // The request.
  oneof request {
    // Comes back, see [text].
    SyncClock sync_clock = 3 [(options.request) = {
      from: [USER, ADMINISTRATOR]
      call: "Reads the clock [in ms]; // exactly."
    }];
    promised.Hello hello = 6;
  }
}
""",
    "proto/promised/v1/events.proto": """
message Event {
  string id = 1;
  oneof what {
    HandedOver handed_over = 21;
  }
}
""",
    "Tests/PromisedWireTests/Golden/error-codes.txt": "auth.required AFTER_REJOIN Sign in first.\n",
    "Tests/PromisedWireTests/Golden/close-codes.txt": "4001 draining comes back The server is shutting down.\n",
    "Tests/ATests/OneTests.swift": """
@Suite(.serialized)
struct OneTests {
    @Test(.proves("2.1-2.2", "3.1")) func `a name has its length`() {
        let text = "// proves: nothing"
    }

    @Test(
        .proves("syncClock", "hello"),
        .proves("handedOver", "/healthz"),
        arguments: [(1, 2)]
    )
    func `requests are answered, (mostly)`(case: (Int, Int)) {}

    @Test func plain() {}
}

extension TwoTests {
    // proves: auth.required, 4001
    // A comment.
    @Test(arguments: [1])
    func `codes are sent`(number: Int) {}
}
""",
    "Tests/Web/unit/page.test.js": """
// proves: any other path
test('a path that leads nowhere is "none"', () => {});
""",
    "Tests/Attacks/sockets.py": """
# proves: any other method
# defends: slow-loris
def slow_loris(trial):
    pass

def none(trial):
    pass

ATTACKS = [slow_loris]
""",
    "Tests/.hidden/Old.swift": "struct Old {\n    @Test(.proves(\"9.9\")) func `old`() {}\n}\n",
}
SWIFT, PYTHON, RULES = "Tests/ATests/OneTests.swift", "Tests/Attacks/sockets.py", "docs/coverage.md"


class CoverageTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for path, text in FILES.items():
            self.write(path, text)

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8")

    def change(self, path, old, new):
        text = (self.root / path).read_text(encoding="utf-8")
        self.assertEqual(text.count(old), 1)
        self.write(path, text.replace(old, new))

    def faults(self):
        return coverage.Coverage(self.root).faults

    # MARK: - What is found

    def test_each_row_has_the_tests_that_name_it(self):
        read = coverage.Coverage(self.root)
        self.assertEqual(read.faults, [])
        name, requests = "OneTests/a name has its length", "OneTests/requests are answered, (mostly)"
        self.assertEqual(read.tests_for_mutations(), {
            "2. Users": {"2.1": [name], "2.2": [name]},
            "3. Friends": {"3.1": [name]},
            "Requests": {"syncClock": [requests], "hello": [requests]},
            "Events": {"handedOver": [requests]},
            "Error codes": {"auth.required": ["TwoTests/codes are sent"]},
            "Close codes": {"4001": ["TwoTests/codes are sent"]},
            "HTTP": {"/healthz": [requests], "any other path": [], "any other method": []},
        })

    def test_the_page_shows_rows_texts_and_tests_in_all_languages(self):
        read = coverage.Coverage(self.root)
        self.assertEqual(read.page(["2.1", "any other path", "slow-loris"]), """\
## 2. Users

- **2.1** A nickname has `2` to 20 letters
  - `OneTests/a name has its length`

## HTTP

- **any other path**
  - `page.test.js/a path that leads nowhere is "none"`

## Connections

- **slow-loris** A request that never ends: A deadline
  - `Attacks/slow_loris`
""")
        self.assertEqual(read.unknown(["2.1", "2.9", "slow-loris"]), ["2.9"])

    def test_a_test_that_moves_to_another_title_and_suite_keeps_its_rows(self):
        self.change(SWIFT, """    // proves: auth.required, 4001
    // A comment.
    @Test(arguments: [1])
    func `codes are sent`(number: Int) {}
""", "")
        self.write("Tests/BTests/ThreeTests.swift", """
struct ThreeTests {
    @Test(.proves("auth.required", "4001")) func `each code is sent`() {}
}
""")
        read = coverage.Coverage(self.root)
        self.assertEqual(read.faults, [])
        self.assertEqual(read.tests_for_mutations()["Error codes"], {"auth.required": ["ThreeTests/each code is sent"]})

    # MARK: - Rows without tests, and marks without rows

    def test_an_unknown_number_is_a_fault(self):
        self.change(SWIFT, '"3.1"', '"3.1", "3.2"')
        self.assertEqual(self.faults(), [
            f"{SWIFT}:4: 'OneTests/a name has its length' proves the unknown row 3.2"])

    def test_an_unknown_threat_is_a_fault_and_a_rule_is_none(self):
        self.change(PYTHON, "slow-loris", "slow-loris, 2.1")
        self.assertEqual(self.faults(), [f"{PYTHON}:4: 'Attacks/slow_loris' defends the unknown threat 2.1"])

    def test_a_row_without_a_test_is_a_fault(self):
        self.change(RULES, "| 3.1 | Friends are mutual |", "| 3.1 | Friends are mutual |\n| 3.2 | A friend leaves |")
        self.assertEqual(self.faults(), ["no test proves the row 3.2"])

    def test_a_test_that_goes_leaves_its_rows_without_one(self):
        self.change(SWIFT, '"hello"', '"syncClock"')
        self.assertEqual(self.faults(), [
            f"{SWIFT}:13: 'OneTests/requests are answered, (mostly)' names a row twice", "no test proves the row hello"])

    def test_rows_of_the_schema_and_the_lists_need_a_test(self):
        self.change("proto/promised/v1/frames.proto", "Hello hello = 6;", "Hello hello = 6;\n    SignOut sign_out = 7;")
        self.change("proto/promised/v1/events.proto", "= 21;", "= 21;\n    Left left = 22;")
        self.write("Tests/PromisedWireTests/Golden/close-codes.txt", "4001 draining\n4002 slowReader\n")
        self.write("Tests/PromisedWireTests/Golden/error-codes.txt", "auth.required A\nauth.forbidden B\n")
        self.change("docs/protocol.md", "| `/healthz` | 200 |", "| `/healthz` | 200 |\n| `/readyz` | 503 |")
        self.assertEqual(self.faults(), [
            f"no test proves the row {name}" for name in ("signOut", "left", "auth.forbidden", "4002", "/readyz")])

    def test_a_threat_and_an_attack_need_one_another(self):
        self.change(PYTHON, "# defends: slow-loris\n", "")
        self.assertEqual(self.faults(), [
            "no test defends the threat slow-loris", "no mark says what the attack Attacks/slow_loris defends"])

    def test_a_repository_that_declares_no_attack_is_a_fault(self):
        self.change(PYTHON, "ATTACKS = [slow_loris]", "ATTACKS = list_of_attacks()")
        self.assertEqual(self.faults(), ["no script declares attacks"])

    # MARK: - What cannot be read

    def test_a_mark_without_a_test_is_a_fault(self):
        self.change(SWIFT, "    @Test(arguments: [1])\n", "    let one = 1\n    @Test(arguments: [1])\n")
        self.assertEqual(self.faults()[0], f"{SWIFT}:21: no test directly below the mark of auth.required, 4001")
        self.write("Tests/Web/unit/page.test.js", "// proves: any other path\n")
        self.assertIn("Tests/Web/unit/page.test.js:1: no test directly below the mark of any other path", self.faults())

    def test_a_trait_that_is_not_at_a_test_is_a_fault(self):
        self.change(SWIFT, "@Suite(.serialized)", '@Suite(.serialized, .defends("slow-loris"))')
        self.assertEqual(self.faults(), [f"{SWIFT}:2: a mark outside the @Test of a suite"])

    def test_arguments_must_be_literals(self):
        self.change(SWIFT, '.proves("handedOver", "/healthz")', '.proves("handedOver", path)')
        self.assertEqual(self.faults(), [
            f'{SWIFT}:13: expected literals in a mark, found "handedOver", path', "no test proves the row handedOver",
            "no test proves the row /healthz"])

    def test_a_range_stays_in_its_section_and_rises(self):
        for text in ("2.1-3.1", "2.2-2.1", "2.1-2.1"):
            self.write(SWIFT, FILES[SWIFT].replace('"2.1-2.2"', f'"{text}"'))
            self.assertIn(f"{SWIFT}:4: {text} is no range of rules", self.faults())

    def test_rules_are_numbered_in_order_and_names_occur_once(self):
        self.change(RULES, "| 2.2 |", "| 2.3 |")
        self.assertIn("docs/coverage.md: the rules of section 2 are not numbered in order at 2.3", self.faults())
        self.write(RULES, FILES[RULES].replace("## 3. Friends", "## 4. Friends"))
        self.assertIn("docs/coverage.md: expected section 3, found '4. Friends'", self.faults())
        self.write(RULES, FILES[RULES])
        self.change("proto/promised/v1/events.proto", "handed_over", "hello")
        self.assertIn("hello of Events is the name of another row", self.faults())

    def test_a_table_without_rows_and_a_schema_of_another_form_are_faults(self):
        self.write("Tests/PromisedWireTests/Golden/close-codes.txt", "")
        self.assertIn("no row below Close codes", self.faults())
        self.change("proto/promised/v1/frames.proto", "promised.Hello hello = 6;", "group Hello = 6 {}")
        with self.assertRaisesRegex(coverage.Fault, "ClientFrame.request cannot be read"):
            coverage.Coverage(self.root)


if __name__ == "__main__":
    unittest.main()
