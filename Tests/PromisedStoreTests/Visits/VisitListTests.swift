import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct VisitListTests {
    static let now = Instant.meeting

    @Test func `lists visits newest first, in pages`() async throws {
        try await withStore(users: 1...2) { store async throws in
            // Two of the same moment are in the order of their ids.
            var visits: [Visit] = []
            for (number, hours) in [(1, 2), (2, 2), (3, 1), (4, 3)] as [(UInt64, Int64)] {
                visits.append(try await store.createVisit(number) { $0.moment = .sample(at: Self.now - .hours(hours)) })
            }
            try await store.createVisit(5, of: .user(2))
            let expected = [visits[2], visits[1], visits[0], visits[3]]
            let first = try await store.mine(limit: 3)
            #expect(first.items == Array(expected[..<3]) && first.next == VisitCursor(visits[0]))
            let second = try await store.mine(after: first.next, limit: 3)
            #expect(second.items == [visits[3]] && second.next == nil)
            let all = try await store.mine(limit: 4)
            #expect(all.items == expected && all.next == nil)
            #expect(try await store.visits.visits(of: .user(9), seenBy: .user(9), limit: 3).items == [])
        }
    }

    /// Random visits, filters and viewers, who are friends for every other seed: pages of any size give what a model
    /// gives.
    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `a filtered list is complete, in order and without duplicates`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        try await withStore(users: 1...2) { store async throws in
            let places = try await store.fill([.sample(1), .sample(2)]).seen
            let isFriend = seed.isMultiple(of: 2)
            if isFriend { try await store.befriend(1, 2) }
            var visits: [Visit] = []
            for number in 1...40 as ClosedRange<UInt64> {
                let draft = VisitDraft.random(among: places, using: &generator)
                visits.append(try await store.create(draft, number).get())
            }
            visits.sort(by: Visit.isBefore)
            for _ in 1...25 {
                let filter = VisitFilter.random(among: places, using: &generator)
                let limit = Int.random(in: 1...9, using: &generator)
                for viewer in [UserID.user(1), .user(2)] {
                    let listed = try await store.pages(filter, seenBy: viewer, limit: limit)
                    let expected = visits.filter { visit in
                        filter.allows(visit) && visit.isVisible(to: viewer, isFriend: isFriend, isBlocked: false)
                    }
                    #expect(listed == expected.map(\.id), "seed \(seed), \(viewer): \(filter)")
                }
            }
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `lists each unchanged visit once while others are added and deleted`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        try await withStore(users: 1...1) { store async throws in
            func moment() -> VisitMoment {
                .sample(at: Self.now - .minutes(Int64(Int.random(in: 1...20, using: &generator))))
            }
            for number in 1...30 as ClosedRange<UInt64> { try await store.createVisit(number) { $0.moment = moment() } }
            var staying = Set((1...30 as ClosedRange<UInt64>).map(VisitID.visit))
            var listed: [VisitID] = []
            var cursor: VisitCursor?
            repeat {
                let page = try await store.mine(after: cursor, limit: 4)
                listed += page.items.map(\.id)
                cursor = page.next
                let gone = VisitID.visit(UInt64.random(in: 1...30, using: &generator))
                staying.remove(gone)
                _ = try await store.visits.deleteVisit(gone, of: .user(1))
                try await store.createVisit(UInt64(100 + listed.count)) { $0.moment = moment() }
            } while cursor != nil
            #expect(Set(listed).count == listed.count && staying.isSubset(of: listed), "seed \(seed)")
        }
    }

    @Test func `a search reads a thousand visits for each page, and the next continues`() async throws {
        try await withStore(users: 1...1) { store async throws in
            let count = VisitList.mostSearched
            try await store.write { db in
                for number in 1...UInt64(count + 2) {
                    let visit = Visit(
                        id: .visit(number),
                        userID: .user(1),
                        source: .hand,
                        moment: .sample(at: Self.now - .minutes(Int64(number))),
                        // The first page ends before the third last, which is on the second.
                        notes: VisitNotes(title: number == 3 || number > count ? "Noodles" : "Soup")
                    )
                    try VisitRecord.insert(visit, into: db)
                }
            }
            let filter = VisitFilter(text: try PlaceQuery("noodle"))
            let first = try await store.mine(filter, limit: 5)
            #expect(first.items.map(\.id) == [.visit(3)])
            #expect(first.next?.id == .visit(UInt64(count)))
            let second = try await store.mine(filter, after: first.next, limit: 5)
            #expect(second.items.map(\.id) == [.visit(UInt64(count) + 1), .visit(UInt64(count) + 2)])
            #expect(second.next == nil)
            let full = try await store.mine(filter, after: first.next, limit: 1)
            #expect(full.next?.id == .visit(UInt64(count) + 1))
        }
    }

    // MARK: - Visits of others

    /// Which of the visits of user 1 (private, for companions, for friends) a user sees.
    struct Viewer: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var number: UInt64 = 2
        var isCompanion = false
        var becomes: @Sendable (Store) async throws -> Void = { _ in }
        var sees: Set<Audience>

        static let all = [
            Viewer(testDescription: "the user", number: 1, sees: [.onlyMe, .companions, .friends]),
            Viewer(testDescription: "a friend", becomes: { try await $0.befriend(1, 2) }, sees: [.friends]),
            Viewer(testDescription: "a companion who is no friend", isCompanion: true, sees: []),
            Viewer(
                testDescription: "a companion who was a friend",
                isCompanion: true,
                becomes: { try await $0.befriendForAWhile(1, 2) },
                sees: []
            ),
            Viewer(
                testDescription: "a friend and companion",
                isCompanion: true,
                becomes: { try await $0.befriend(2, 1) },
                sees: [.companions, .friends]
            ),
            Viewer(testDescription: "a stranger", sees: []),
            Viewer(testDescription: "an unknown user", number: 9, sees: []),
            Viewer(testDescription: "a former friend", becomes: { try await $0.befriendForAWhile(1, 2) }, sees: []),
            Viewer(
                testDescription: "a companion that the user blocks",
                isCompanion: true,
                becomes: { _ = try await $0.friendships.block(.user(2), by: .user(1), at: now) },
                sees: []
            ),
            Viewer(
                testDescription: "a companion who blocks the user",
                isCompanion: true,
                becomes: { _ = try await $0.friendships.block(.user(1), by: .user(2), at: now) },
                sees: []
            ),
            Viewer(
                testDescription: "a friend of a companion",
                number: 3,
                isCompanion: true,
                becomes: { try await $0.befriend(2, 3) },
                sees: []
            ),
        ]
    }

    @Test(.proves("16.3"), arguments: Viewer.all)
    func `a user sees only visits with a matching audience`(viewer: Viewer) async throws {
        try await withStore(users: 1...3) { store async throws in
            let audiences: [Audience] = [.onlyMe, .companions, .friends]
            for (number, audience) in audiences.enumerated() {
                try await store.add([.sample(UInt64(number))])
                try await store.createVisit(UInt64(number), photos: [UInt64(number)]) { draft in
                    draft.audience = audience
                    draft.companions = [.named("User_2")] + (viewer.isCompanion ? [.user(.user(2))] : [])
                }
            }
            try await viewer.becomes(store)
            let user = UserID.user(viewer.number)
            var single: Set<Audience> = []
            for number in audiences.indices {
                let visit = try await store.visits.visit(.visit(UInt64(number)), seenBy: user)
                if let visit { single.insert(visit.audience) }
                let photo = try await store.files.file(.file(UInt64(number)), readableBy: user)
                #expect((photo != nil) == (visit != nil))
            }
            #expect(try await store.visits.visit(.visit(9), seenBy: user) == nil)
            #expect(single == viewer.sees)
            let page = try await store.visits.visits(of: .user(1), seenBy: user, limit: 9)
            #expect(Set(page.items.map(\.audience)) == viewer.sees && page.next == nil)
            #expect(page.items.count == viewer.sees.count)
        }
    }

    @Test func `filters other users' visits and lists them in pages`() async throws {
        try await withStore(users: 1...2) { store async throws in
            try await store.befriend(1, 2)
            for number in 1...9 as ClosedRange<UInt64> {
                try await store.createVisit(number) { draft in
                    draft.moment = .sample(at: Self.now - .hours(Int64(number)))
                    draft.audience = number % 3 == 0 ? .onlyMe : .friends
                    draft.notes.kind = number > 2 ? .book : .note
                }
            }
            let filter = VisitFilter(kinds: [.book], to: Self.now - .hours(3))
            var (listed, cursor): ([VisitID], VisitCursor?) = ([], nil)
            repeat {
                let page = try await store.visits.visits(
                    of: .user(1),
                    seenBy: .user(2),
                    filter: filter,
                    after: cursor,
                    limit: 2
                )
                listed += page.items.map(\.id)
                cursor = page.next
            } while cursor != nil
            #expect(listed == [4, 5, 7, 8].map(VisitID.visit))
        }
    }

    @Test(arguments: [Int64.min, 0, .max]) func `reads a cursor from its text`(milliseconds: Int64) throws {
        let moment = VisitMoment.sample(at: Instant(milliseconds: 0))
        var visit = Visit(id: .visit(5), userID: .user(1), source: .hand, moment: moment)
        #expect(VisitCursor(VisitCursor(visit).description) == VisitCursor(visit))
        visit = Visit(
            id: VisitID(high: .max, low: 5),
            userID: .user(1),
            source: .hand,
            moment: VisitMoment(
                place: moment.place,
                at: Instant(milliseconds: milliseconds),
                localDate: moment.localDate
            )
        )
        let cursor = VisitCursor(visit)
        #expect(VisitCursor(cursor.description) == cursor)
        #expect(FavouriteCursor(cursor.description) == nil)
    }
}

extension VisitDraft {
    fileprivate static func random(among places: [PlaceID], using generator: inout SeededGenerator) -> VisitDraft {
        let categories = ["cafe", "bookshop/used", "bookshop/new", "bookshop", "market/permanent", nil]
        let regions = ["KR-11", "KR-11/종로구", "KR-11/중구", "KR-26/중구", nil]
        var draft = VisitDraft.sample(
            moment: .sample(
                at: .meeting - .hours(Int64.random(in: 1...20, using: &generator)),
                name: ["책방", "Café Roma", "Pier"].randomElement(using: &generator) ?? "",
                placeID: Bool.random(using: &generator) ? places.randomElement(using: &generator) : nil,
                category: categories.randomElement(using: &generator) ?? nil,
                region: regions.randomElement(using: &generator) ?? nil
            )
        )
        draft.notes.kind = VisitNotes.Kind.allCases.randomElement(using: &generator) ?? .note
        draft.notes.title = ["", "Noodles", "국수"].randomElement(using: &generator) ?? ""
        draft.notes.memo = ["noodles and roma", "rain"].randomElement(using: &generator) ?? ""
        draft.audience = [.onlyMe, .companions, .friends].randomElement(using: &generator) ?? .onlyMe
        draft.companions = [[], [.named("User_2")], [.user(.user(2))]].randomElement(using: &generator) ?? []
        return draft
    }
}

extension VisitFilter {
    /// A filter with each part present in one of three cases.
    fileprivate static func random(among places: [PlaceID], using generator: inout SeededGenerator) -> VisitFilter {
        var filter = VisitFilter()
        func isThere() -> Bool { Int.random(in: 0..<3, using: &generator) == 0 }
        func some(_ values: [String]) -> [String] { values.filter { _ in Bool.random(using: &generator) } }
        if isThere() { filter.kinds = Set(VisitNotes.Kind.allCases.prefix(Int.random(in: 1...3, using: &generator))) }
        if isThere() {
            filter.places.categories = some(["cafe", "bookshop", "bookshop/used", "market"]).map(CategoryID.init(text:))
        }
        if isThere() { filter.places.regions = some(["KR-11", "KR-26", "KR-11/중구"]).map(RegionCode.init(text:)) }
        if isThere() { filter.placeID = places.randomElement(using: &generator) }
        if isThere() { filter.from = .meeting - .hours(Int64.random(in: 8...20, using: &generator)) }
        if isThere() { filter.to = .meeting - .hours(Int64.random(in: 1...12, using: &generator)) }
        let texts = ["noodle", "roma", "국", "책방 rain"]
        // Each of them is a query.
        if isThere() { filter.text = try? PlaceQuery(texts.randomElement(using: &generator) ?? "") }
        return filter
    }
}

extension Store {
    /// A page of the visits of user 1, requested by the user or another.
    fileprivate func mine(
        _ filter: VisitFilter = VisitFilter(),
        seenBy viewer: UserID = .user(1),
        after cursor: VisitCursor? = nil,
        limit: Int
    ) async throws(StoreError) -> Page<Visit, VisitCursor> {
        try await visits.visits(of: .user(1), seenBy: viewer, filter: filter, after: cursor, limit: limit)
    }

    /// All pages of the visits of user 1.
    fileprivate func pages(
        _ filter: VisitFilter,
        seenBy viewer: UserID,
        limit: Int
    ) async throws(StoreError) -> [VisitID] {
        var listed: [VisitID] = []
        var cursor: VisitCursor?
        repeat {
            let page = try await mine(filter, seenBy: viewer, after: cursor, limit: limit)
            listed += page.items.map(\.id)
            cursor = page.next
        } while cursor != nil
        return listed
    }

    /// Creates and ends the friendship of two users.
    fileprivate func befriendForAWhile(_ one: UInt64, _ other: UInt64) async throws {
        try await befriend(one, other)
        let outcome = try await friendships.changeFriendship(between: .user(one), and: .user(other), at: .meeting) {
            pair,
            _ in
            pair.state = .none
        }
        _ = try outcome.get()
    }
}
