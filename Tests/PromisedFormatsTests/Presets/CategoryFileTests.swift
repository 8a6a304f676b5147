import Foundation
import PromisedFormats
import PromisedPlaces
import Testing

@Suite struct CategoryFileTests {
    private static let sample = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "config/categories.yaml")

    @Test func `the sample adds its categories after the built-in ones`() throws {
        let table = try CategoryFile.table(atPath: Self.sample.path)
        let added = table.categories.dropFirst(PlaceCategory.builtIn.count)
        #expect(added.map(\.id.text) == ["bookshop/children", "bookshop/comics", "board-games"])
        #expect(added.map(\.icon) == ["book", "book", "cafe"])
        #expect(added.first?.name == BilingualName(english: "Children's bookshop", korean: "어린이 책방"))
        let bookshops = try #require(CategoryID("bookshop"))
        #expect(table.matches(of: bookshops).count == 4)
    }

    @Test func `the sample names every built-in category and every icon`() throws {
        let text = try String(contentsOf: Self.sample, encoding: .utf8)
        for category in PlaceCategory.builtIn {
            #expect(text.contains(category.id.text))
            #expect(text.contains(category.icon))
        }
    }

    @Test func `a category without a Korean name and an icon has the English name and the default icon`() throws {
        let table = try CategoryFile.table(yaml: "categories:\n- {id: sauna, en: Sauna}")
        let sauna = try #require(table.categories.last)
        #expect(sauna.name[.korean] == "Sauna" && sauna.icon == PlaceCategory.defaultIcon)
    }

    @Test func `rejects a missing file with the system's reason`() throws {
        let error = try #require(throws: FormatError.self) {
            try CategoryFile.table(atPath: "/nowhere/categories.yaml")
        }
        #expect(error.description == "cannot read the file: No such file or directory (errno 2)")
        // A caller who knows the path adds it.
        #expect(error.inFile(at: "a.yaml").description == "a.yaml: \(error)")
    }

    @Test func `accepts a file without categories`() throws {
        #expect(try CategoryFile.table(yaml: "categories: []") == .builtIn)
    }

    @Test(arguments: [
        ("", 0, "the file of categories is empty: it needs categories"),
        ("categories: {", 2, "the file of categories is not YAML"),
        ("sauna: {en: Sauna}", 1, "sauna is unknown: use categories"),
        ("categories:\n- id: sauna", 2, "needs an id and an English name"),
        ("categories:\n- {id: sauna, en: Sauna, de: Sauna}", 2, "de is unknown: use id, en, ko, icon"),
        ("categories:\n- {id: a, en: A}\n- {id: Sauna, en: Sauna}", 3, "The category id \"Sauna\" is malformed"),
        ("categories:\n- {id: sauna, en: Sauna, icon: a/b}", 2, "The icon \"a/b\""),
        ("categories:\n- {id: cafe, en: Coffee}", 0, "cafe is built in"),
        ("categories:\n- {id: a, en: A}\n- {id: a, en: B}", 0, "a is added twice"),
    ])
    func `rejects an invalid file with its line`(yaml: String, line: Int, reason: String) throws {
        let error = try #require(throws: FormatError.self) { try CategoryFile.table(yaml: yaml) }
        guard case .badPreset(let found, let text) = error else {
            Issue.record("another error: \(error)")
            return
        }
        #expect(found == line && text.contains(reason), "\(error)")
    }
}
