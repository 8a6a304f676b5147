import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedTestSupport
import Testing

@Suite struct VisitFilterTests {
    private static let visits: [Visit] = [
        .sample(1, moment: .sample(place: 1, day: 0), notes: VisitNotes(title: "Lunch with Mina")),
        .sample(
            2,
            moment: .sample(place: 2, name: "헌책방 서울", category: "bookshop/used", region: "KR-11", day: 1),
            notes: VisitNotes(kind: .book, memo: "First line\nCafé on the corner")
        ),
        .sample(
            3,
            moment: .sample(place: nil, name: "At home", category: nil, region: nil, day: 2),
            notes: VisitNotes(kind: .food, title: "Dumplings")
        ),
        .sample(
            4,
            moment: .sample(place: 1, category: "bookshop/new", region: "KR-26", day: 2),
            notes: VisitNotes(kind: .quote, title: "광장")
        ),
    ]

    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let filter: VisitFilter
        let found: [UInt64]
        var testDescription: String { name }
    }

    private static func text(_ text: String) -> VisitFilter {
        VisitFilter(text: try? PlaceQuery(text))
    }

    static let cases = [
        Case(name: "all", filter: VisitFilter(), found: [1, 2, 3, 4]),
        Case(name: "kinds", filter: VisitFilter(kinds: [.book, .food]), found: [2, 3]),
        Case(
            name: "categories, those below them included",
            filter: VisitFilter(places: PlaceFilter(categories: [CategoryID(text: "bookshop")])),
            found: [2, 4]
        ),
        Case(
            name: "regions, their parts included",
            filter: VisitFilter(places: PlaceFilter(regions: [RegionCode(text: "KR-11")])),
            found: [1, 2]
        ),
        Case(name: "a place", filter: VisitFilter(placeID: .place(1)), found: [1, 4]),
        Case(name: "from an instant on", filter: VisitFilter(from: .meeting + .days(1)), found: [2, 3, 4]),
        Case(name: "before an instant", filter: VisitFilter(to: .meeting + .days(1)), found: [1]),
        Case(name: "title", filter: text("mina"), found: [1]), Case(name: "memo", filter: text("cafe"), found: [2]),
        Case(name: "place", filter: text("gwangjang"), found: [1, 4]),
        Case(name: "initials and unfinished syllables", filter: text("ㄱㅈ"), found: [4]),
        Case(name: "terms in different texts", filter: text("market lunch"), found: [1]),
        Case(name: "a term that is nowhere", filter: text("lunch tea"), found: []),
        Case(
            name: "several parts",
            filter: VisitFilter(kinds: [.quote], placeID: .place(1), from: .meeting),
            found: [4]
        ),
    ]

    @Test(arguments: cases) func `each part of a filter narrows the list`(test: Case) {
        #expect(Self.visits.filter(test.filter.allows).map(\.id) == test.found.map { .visit($0) })
    }

    @Test func `sorts lists newest first, equal times by the later visit`() {
        let sorted = [2, 0, 3, 1].map { Self.visits[$0] }.sorted(by: Visit.isBefore)
        #expect(sorted.map(\.id) == [4, 3, 2, 1].map { .visit($0) })
    }
}
