"""Widths of types, private state and barred imports, in a small tree."""

import pathlib
import tempfile
import unittest
from unittest import mock

import structure

ENGINE = {
    "Session.swift": """
        package final class Session {
            private let id: Int
            package var name = "} let x"
            var count: Int { 1 }
            package func run() { let local = 1 }
            private func hide() {}
            struct Inner { let a = 1 }
        }
    """,
    "Session+A.swift": "extension Session {\n    package func a() {\n        _ = 1\n    }\n}\nstruct Value { let a: Int }",
    "Session+B.swift": "extension Session { package func b() {} }\nextension Session {\n    init(a: Int) {}\n}",
    "User.swift": "func use(_ session: Session, _ value: Value) {}",
}
SERVER = {"Server.swift": "let session: Session?", "Other.swift": "// Session\nlet text = \"Session\"",
          "Value.swift": "struct Value { }\nfunc use(_ value: Value) {}"}


def dedented(text):
    lines = text.split("\n")
    return "\n".join(line[8:] if line.startswith(" " * 8) else line for line in lines)


class StructureTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.modules = []
        for name, files in (("Engine", ENGINE), ("Server", SERVER)):
            path = pathlib.Path(folder.name, name)
            path.mkdir()
            for file, text in files.items():
                (path / file).write_text(dedented(text) if file == "Session.swift" else text)
            self.modules.append(structure.Module(path))

    def test_members_of_a_type_and_its_extensions_are_counted(self):
        session = self.modules[0].types["Session"]
        self.assertEqual((session.visible, session.stored, session.hidden, len(session.files)), (5, 2, 1, 3))

    def test_users_are_the_files_that_do_not_declare_it(self):
        self.assertEqual([(type.name, users) for type, users in structure.widest(self.modules, True)], [("Session", 2)])
        values = structure.widest(self.modules, False)
        self.assertEqual([(type.name, users) for type, users in values], [("Value", 1)])
        self.assertIs(values[0][0], self.modules[0].types["Value"])

    def test_the_private_share_is_that_of_types_in_more_than_two_files(self):
        self.assertEqual(structure.private_share(self.modules), 0.5)
        self.assertEqual(structure.private_share(self.modules[1:]), 1)

    def test_what_is_beyond_a_bound_is_named(self):
        with mock.patch.multiple(structure, WIDEST_STATE=9, LEAST_PRIVATE=0.6):
            faults = [fault for fault in structure.check(self.modules) if "lines" not in fault]
        self.assertEqual(faults, ["Session 2 files × 5 members = 10: at most 9 are allowed",
                                  "of the state of types in more than two files 50% is private, not 60%"])

    def test_an_import_that_a_module_may_not_have_is_named(self):
        files = {
            "A.swift": "import GRDB\n// import Other\nlet text = \"import Other\"\n",
            "B.swift": "import Fine\n@testable import struct Other.Thing\npackage import Store\n",
        }
        path = self.folder / "Gate"
        path.mkdir()
        for file, text in files.items():
            (path / file).write_text(text)
        module = structure.Module(path)
        with mock.patch.object(structure, "BARRED", {"Gate": {"GRDB", "Other", "Store"}}):
            self.assertEqual(structure.barred_imports(module), [
                "Gate/A.swift imports GRDB, which Gate may not know",
                "Gate/B.swift imports Other, which Gate may not know",
                "Gate/B.swift imports Store, which Gate may not know",
            ])
            self.assertEqual([fault for module in self.modules for fault in structure.barred_imports(module)], [])

    def test_a_library_is_imported_in_its_folder_only(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "PromisedStore")
            for file in "Store.swift", "SQLite/Driver.swift", "SQLite/Disk/Disk.swift", "SQLiteText/Text.swift":
                (path / file).parent.mkdir(parents=True, exist_ok=True)
                (path / file).write_text("// import GRDB\n@preconcurrency internal import GRDB\nimport Foundation\n")
            (path / "Row.swift").write_text("import struct GRDB.Row\nlet import_GRDB = \"import GRDB\"")
            faults = structure.misplaced_imports(structure.Module(path))
        self.assertEqual(faults, [
            f"PromisedStore/{file} imports GRDB: only files below PromisedStore/SQLite and PromisedWorld/Store may"
            for file in ("Row.swift", "SQLiteText/Text.swift", "Store.swift")
        ])


if __name__ == "__main__":
    unittest.main()
