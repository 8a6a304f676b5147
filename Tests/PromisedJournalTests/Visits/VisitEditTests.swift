import PromisedDomain
import PromisedJournal
import PromisedTestMarks
import PromisedTestSupport
import Testing

@Suite struct VisitEditTests {
    private static let now = Instant.meeting + .days(1)

    private static func edit(version: Int = 1, _ change: (inout VisitEdit) -> Void) -> VisitEdit {
        var edit = VisitEdit(version: version)
        change(&edit)
        return edit
    }

    @Test(arguments: [Visit.Source.hand, .sampleArrival])
    func `edits every field of a visit but its source, and increments the version`(source: Visit.Source) throws {
        var visit = Visit.sample(source: source)
        let moment = VisitMoment.sample(place: 2, name: "Jungang Library", category: "library")
        let edit = Self.edit {
            $0.moment = moment
            $0.weather = .sample(at: moment.at)
            $0.kind = .quote
            $0.title = "A title"
            $0.memo = "Two\nlines"
            $0.emoji = "📚"
            $0.photos = [Photo(fileID: .file(1), caption: "one"), Photo(fileID: .file(2))]
            $0.audience = .friends
        }
        try visit.apply(edit, at: Self.now)
        let notes = VisitNotes(
            kind: .quote,
            title: "A title",
            memo: "Two\nlines",
            emoji: "📚",
            photos: edit.photos ?? []
        )
        #expect((visit.moment, visit.notes, visit.audience, visit.version) == (moment, notes, .friends, 2))
        #expect((visit.source, visit.weather) == (source, edit.weather))
    }

    @Test func `an edit without changes keeps the version`() throws {
        var visit = Visit.sample(companions: [.named("Mina")])
        let before = visit
        try visit.apply(Self.edit { $0.title = "Lunch" }, at: Self.now)
        try visit.apply(Self.edit { $0.companions = [.named("Mina")] }, at: Self.now)
        #expect(visit == before)
    }

    @Test(.proves("visit.stale-version"), arguments: [0, 1, 3])
    func `rejects an edit of another version`(version: Int) throws {
        var visit = Visit.sample()
        try visit.apply(Self.edit { $0.title = "Dinner" }, at: Self.now)
        let before = visit
        #expect(throws: Refusal.visitStaleVersion) {
            try visit.apply(Self.edit(version: version) { $0.title = "Tea" }, at: Self.now)
        }
        #expect(visit == before)
    }

    @Test func `rejects changed companions of an arrival, not of a manual visit`() throws {
        let mina = [Companion.named("Mina")]
        var arrival = Visit.sample(source: .sampleArrival, companions: [.user(.user(2))])
        let before = arrival
        #expect(throws: Refusal.invalid(field: "companions")) {
            try arrival.apply(Self.edit { $0.companions = mina }, at: Self.now)
        }
        #expect(throws: Refusal.invalid(field: "companions")) {
            try arrival.apply(Self.edit { $0.companions = [] }, at: Self.now)
        }
        #expect(arrival == before)

        var byHand = Visit.sample()
        try byHand.apply(Self.edit { $0.companions = mina }, at: Self.now)
        #expect((byHand.companions, byHand.version) == (mina, 2))
    }

    @Test func `a manual visit keeps a title, a memo or a photo; one from an arrival needs none`() throws {
        var byHand = Visit.sample()
        #expect(throws: Refusal.visitEmpty) { try byHand.apply(Self.edit { $0.title = "" }, at: Self.now) }
        #expect(byHand == .sample())
        var arrival = Visit.sample(source: .sampleArrival)
        try arrival.apply(Self.edit { $0.title = "" }, at: Self.now)
        #expect(arrival.notes.isEmpty)
    }

    @Test func `checks other values as in a draft`() {
        let edits = [
            ("title", Self.edit { $0.title = String(repeating: "a", count: 101) }),
            ("memo", Self.edit { $0.memo = String(repeating: "a", count: 2_001) }),
            (
                "photos.caption",
                Self.edit { $0.photos = [Photo(fileID: .file(1), caption: String(repeating: "a", count: 101))] }
            ),
            ("companions", Self.edit { $0.companions = [.user(.user(1))] }),
            ("audience", Self.edit { $0.audience = .people }),
            (
                "visitedAt",
                Self.edit {
                    $0.moment = .sample()
                    $0.moment?.at = Self.now + .minutes(6)
                }
            ),
        ]
        for (field, edit) in edits {
            var visit = Visit.sample()
            #expect(throws: Refusal.invalid(field: field)) { try visit.apply(edit, at: Self.now) }
            #expect(visit == .sample())
        }
    }

    @Test func `an old visit can be edited without changing its time`() throws {
        var visit = Visit.sample()
        let later = Self.now + .days(366 * 21)
        try visit.apply(Self.edit { $0.moment = .sample(place: 2) }, at: later)
        #expect(visit.moment == .sample(place: 2))
        #expect(throws: Refusal.invalid(field: "visitedAt")) {
            try visit.apply(Self.edit(version: 2) { $0.moment = .sample(day: 1) }, at: later)
        }
    }

    @Test func `the weather of the new time replaces the old one`() throws {
        var visit = Visit.sample()
        try visit.apply(
            Self.edit {
                $0.moment = .sample(place: 2)
                $0.weather = .sample(at: .meeting)
            },
            at: Self.now
        )
        #expect(visit.weather != nil)
        // The same place and time preserve it.
        try visit.apply(Self.edit(version: 2) { $0.moment = .sample(place: 2) }, at: Self.now)
        #expect((visit.weather != nil, visit.version) == (true, 2))
        try visit.apply(Self.edit(version: 2) { $0.moment = .sample(day: -1) }, at: Self.now)
        #expect(visit.weather == nil)
    }

    @Test func `deleting leaves a mark only of an arrival`() {
        let visit = Visit.sample(7, of: .user(3), source: .sampleArrival)
        #expect(visit.mark == VisitMark(id: .visit(7), userID: .user(3), promiseID: Promise.sample().id))
        #expect(Visit.sample().mark == nil)
    }
}
