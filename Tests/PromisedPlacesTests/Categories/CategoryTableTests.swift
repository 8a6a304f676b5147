import PromisedPlaces
import PromisedTestMarks
import Testing

@Suite struct CategoryTableTests {
    static let longest = "a" + String(repeating: "9", count: 23)

    @Test(.proves("11.2"), arguments: ["a", "cafe", "bookshop/used", "a-/b-9", longest, "\(longest)/\(longest)"])
    func `an id has one or two parts`(_ text: String) {
        #expect(CategoryID(text)?.text == text)
    }

    @Test(arguments: [
        "", "/", "a/", "/a", "a/b/c", "9a", "-a", "Cafe", "café", "a b", "a_b", "a/9", "카페", " a", "\(longest)9",
        "a/\(longest)9",
    ])
    func `rejects other texts as ids`(_ text: String) {
        #expect(CategoryID(text) == nil)
        #expect(throws: CategoryProblem.malformedID(text)) { try PlaceCategory(id: text, english: "Name") }
    }

    @Test(
        .proves("11.2"),
        arguments: [
            ("bookshop", "bookshop/used", true), ("bookshop", "bookshop", true), ("bookshop/used", "bookshop", false),
            ("bookshop", "bookshops", false), ("book", "bookshop/used", false),
            ("bookshop/used", "bookshop/new", false),
            ("bookshop/used", "bookshop/used", true),
        ]
    )
    func `the first part alone matches all ids that begin with it`(
        _ id: String,
        _ other: String,
        _ contains: Bool
    ) throws {
        #expect(try #require(CategoryID(id)).contains(#require(CategoryID(other))) == contains)
    }

    @Test func `built-in categories have unique ids, names in two languages and icons`() {
        let builtIn = CategoryTable.builtIn.categories
        #expect(
            builtIn.map(\.id.text) == [
                "market/permanent", "market/periodic", "bookshop/new", "bookshop/used", "bicycle/air",
                "bicycle/parking",
                "bicycle/rental", "bicycle/repair", "cafe", "library", "park", "station", "event", "other",
            ]
        )
        #expect(Set(builtIn.map(\.name.english)).count == builtIn.count)
        #expect(Set(builtIn.map(\.name.korean)).count == builtIn.count)
        #expect(Set(builtIn.map(\.icon)).count == builtIn.count)
        for category in builtIn {
            // An operator could set each of them.
            let again = try? PlaceCategory(
                id: category.id.text,
                english: category.name.english,
                korean: category.name.korean,
                icon: category.icon
            )
            #expect(again == category)
        }
    }

    @Test func `an operator's categories follow the built-in ones`() throws {
        let additions = [
            try PlaceCategory(id: "cafe/cat", english: "Cat café", korean: "고양이 카페", icon: "cat"),
            try PlaceCategory(id: "shrine", english: "Shrine"),
        ]
        let table = try CategoryTable(adding: additions)
        #expect(table.categories == PlaceCategory.builtIn + additions)
        let shrine = try #require(table[CategoryID(text: "shrine")])
        #expect(shrine.name == BilingualName(english: "Shrine", korean: "Shrine"))
        #expect(shrine.icon == "other")
        #expect(table.bit(of: shrine.id) == 15)
        #expect(table[CategoryID(text: "cafes")] == nil)
        #expect(table.matches(of: CategoryID(text: "cafe")).map(\.id.text) == ["cafe", "cafe/cat"])
        #expect(table.mask(matching: [CategoryID(text: "cafe")]) == 1 << 8 | 1 << 14)
    }

    @Test(.proves("11.2"), arguments: [(50, true), (51, false)])
    func `there are at most 64 categories`(_ additions: Int, _ isAccepted: Bool) throws {
        let added = try (0..<additions).map { try PlaceCategory(id: "extra/x\($0)", english: "Extra \($0)") }
        guard isAccepted else {
            #expect(throws: CategoryProblem.tooMany(65)) { try CategoryTable(adding: added) }
            return
        }
        let table = try CategoryTable(adding: added)
        #expect(table.categories.count == 64)
        #expect(table.categories(in: .max) == table.categories)
        #expect(table.bit(of: CategoryID(text: "extra/x49")) == 63)
        #expect(table.mask(matching: [CategoryID(text: "extra")]) == .max << 14)
    }

    @Test func `a mask has all categories that match an id of the filter`() {
        let table = CategoryTable.builtIn
        let all = Set(table.categories.map(\.id)).union(table.categories.compactMap(\.id.parent))
        for first in all {
            for second in all {
                let expected = table.categories.filter { first.contains($0.id) || second.contains($0.id) }
                #expect(!expected.isEmpty)
                #expect(table.categories(in: table.mask(matching: [first, second])) == expected)
            }
        }
        #expect(table.mask(matching: [CategoryID(text: "shrine")]) == 0)
        #expect(table.mask(matching: []) == 0)
        #expect(table.categories(in: 0).isEmpty)
    }

    struct Refused: CustomTestStringConvertible, Sendable {
        var problem: CategoryProblem
        var says: [String]
        var testDescription: String { "\(problem)" }
    }

    @Test(arguments: [
        ("", "가", "x"), (" Shop", "가", "x"), ("Shop ", "가", "x"), ("Sh\nop", "가", "x"),
        (String(repeating: "S", count: 41), "가", "x"), ("Shop", " 가", "x"),
    ])
    func `rejects names that cannot be displayed`(_ english: String, _ korean: String, _ icon: String) throws {
        let bad = english == "Shop" ? korean : english
        let id = CategoryID(text: "shop")
        #expect(throws: CategoryProblem.malformedName(bad, of: id)) {
            try PlaceCategory(id: "shop", english: english, korean: korean, icon: icon)
        }
        let longest = String(repeating: "S", count: 40)
        #expect(try PlaceCategory(id: "shop", english: longest).name.english == longest)
    }

    @Test func `rejects duplicates and built-in ids`() throws {
        let shop = try PlaceCategory(id: "shop", english: "Shop")
        let other = try PlaceCategory(id: "shop", english: "Other shop", icon: "bag")
        #expect(throws: CategoryProblem.duplicate(shop.id)) { try CategoryTable(adding: [shop, other]) }
        let cafe = try PlaceCategory(id: "cafe", english: "Coffee")
        #expect(throws: CategoryProblem.builtIn(cafe.id)) { try CategoryTable(adding: [shop, cafe]) }
    }

    @Test(arguments: [
        Refused(problem: .malformedID("Caf\u{E9}"), says: ["\"Caf\u{E9}\"", "1 to 24", "a-z, 0-9 and -"]),
        Refused(problem: .malformedName("", of: CategoryID(text: "shop")), says: ["\"\"", "shop", "1 to 40"]),
        Refused(problem: .malformedIcon("A", of: CategoryID(text: "shop")), says: ["\"A\"", "shop", "1 to 24"]),
        Refused(problem: .builtIn(CategoryID(text: "cafe")), says: ["cafe", "another id"]),
        Refused(problem: .duplicate(CategoryID(text: "shop")), says: ["shop", "remove"]),
        Refused(problem: .tooMany(70), says: ["70", "64", "remove 6"]),
    ])
    func `an error names the value, the allowed range and the next step`(_ row: Refused) {
        for part in row.says { #expect(row.problem.description.contains(part)) }
    }

    @Test func `an icon has the form of a part of an id`() throws {
        #expect(try PlaceCategory(id: "shop", english: "Shop", icon: Self.longest).icon == Self.longest)
        for icon in ["A", "a/b", "a b", "9", Self.longest + "9"] {
            #expect(throws: CategoryProblem.malformedIcon(icon, of: CategoryID(text: "shop"))) {
                try PlaceCategory(id: "shop", english: "Shop", icon: icon)
            }
        }
    }
}
