import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedTestMarks
import PromisedTestSupport
import Testing

@Suite struct VisitDraftTests {
    private static let now = Instant.meeting

    private static func visit(_ draft: VisitDraft, count: Int = 0) throws(Refusal) -> Visit {
        try Visit(draft, id: .visit(1), by: .user(1), count: count, at: now)
    }

    private static func draft(
        at instant: Instant = now,
        notes: VisitNotes = VisitNotes(title: "Lunch"),
        companions: [Companion] = [],
        audience: Audience = .onlyMe
    ) -> VisitDraft {
        var moment = VisitMoment.sample()
        moment.at = instant
        return VisitDraft(moment: moment, notes: notes, companions: companions, audience: audience)
    }

    @Test func `a manual visit keeps its draft, has version 1 and is private by default`() throws {
        var draft = Self.draft(companions: [.user(.user(2)), .named("Mina")])
        draft.weather = .sample(at: Self.now)
        let visit = try Self.visit(draft)
        #expect(draft.weather?.forecast.temperatureCelsius == 21)
        #expect((visit.moment, visit.notes, visit.companions) == (draft.moment, draft.notes, draft.companions))
        #expect((visit.weather, visit.audience, visit.version) == (draft.weather, .onlyMe, 1))
        #expect(visit.source == .hand)
        #expect(visit.arrival == nil)
        #expect(visit.mark == nil)
    }

    @Test(.proves("16.2")) func `accepts visits up to 5 minutes ahead and 20 years back`() throws {
        let limit = try #require(Instant(rfc3339: "2006-11-21T09:00:00Z"))
        let instants = [
            (Self.now + .minutes(5) - .milliseconds(1), true), (Self.now + .minutes(5), true),
            (Self.now + .minutes(5) + .milliseconds(1), false), (limit + .milliseconds(1), true), (limit, true),
            (limit - .milliseconds(1), false),
        ]
        for (instant, isAllowed) in instants {
            let draft = Self.draft(at: instant)
            if isAllowed {
                #expect(throws: Never.self) { try Self.visit(draft) }
            } else {
                #expect(throws: Refusal.invalid(field: "visitedAt")) { try Self.visit(draft) }
            }
        }
    }

    @Test func `on February 29 the limit is March 1 if that year has no such day`() throws {
        // 2100 is not a leap year, but 2080 is.
        for (now, limit) in [
            ("2028-02-29T12:00:00Z", "2008-02-29T12:00:00Z"), ("2120-02-29T12:00:00Z", "2100-03-01T12:00:00Z"),
        ] {
            let now = try #require(Instant(rfc3339: now))
            let limit = try #require(Instant(rfc3339: limit))
            #expect(throws: Never.self) {
                try Visit(Self.draft(at: limit), id: .visit(1), by: .user(1), count: 0, at: now)
            }
            #expect(throws: Refusal.invalid(field: "visitedAt")) {
                try Visit(Self.draft(at: limit - .milliseconds(1)), id: .visit(1), by: .user(1), count: 0, at: now)
            }
        }
    }

    @Test(
        .proves("16.2", "visit.empty"),
        arguments: [
            (VisitNotes(), true), (VisitNotes(kind: .book, emoji: "📚"), true), (VisitNotes(title: "a"), false),
            (VisitNotes(memo: "a"), false), (VisitNotes(photos: [Photo(fileID: .file(1))]), false),
        ]
    )
    func `a manual visit needs a title, a memo or a photo`(notes: VisitNotes, isEmpty: Bool) {
        if isEmpty {
            #expect(throws: Refusal.visitEmpty) { try Self.visit(Self.draft(notes: notes)) }
        } else {
            #expect(throws: Never.self) { try Self.visit(Self.draft(notes: notes)) }
        }
    }

    struct Limit: CustomTestStringConvertible, Sendable {
        let field: String
        let most: Int
        let draft: @Sendable (Int) -> VisitDraft
        var testDescription: String { field }
    }

    private static func text(_ count: Int) -> String { String(repeating: "한", count: count) }

    static let limits = [
        Limit(field: "title", most: 100) { draft(notes: VisitNotes(title: text($0))) },
        Limit(field: "memo", most: 2_000) { draft(notes: VisitNotes(memo: String(repeating: "\n", count: $0))) },
        Limit(field: "emoji", most: 1) { count in
            draft(notes: VisitNotes(title: "a", emoji: String(repeating: "👨‍👩‍👧‍👦", count: count)))
        },
        Limit(field: "photos", most: 10) { count in
            draft(notes: VisitNotes(photos: (0..<count).map { Photo(fileID: .file(UInt64($0))) }))
        },
        Limit(field: "photos.caption", most: 100) { count in
            draft(notes: VisitNotes(photos: [Photo(fileID: .file(1), caption: text(count))]))
        },
        Limit(field: "companions", most: 20) { count in
            draft(companions: (0..<count).map { .user(.user(UInt64($0) + 2)) })
        },
        Limit(field: "companions.name", most: 40) { draft(companions: [.named(text($0))]) },
    ]

    @Test(.proves("16.2"), arguments: limits) func `accepts values up to a limit and rejects one above`(limit: Limit) {
        for count in [limit.most - 1, limit.most] where count > 0 {
            #expect(throws: Never.self) { try Self.visit(limit.draft(count)) }
        }
        #expect(throws: Refusal.invalid(field: limit.field)) { try Self.visit(limit.draft(limit.most + 1)) }
    }

    @Test(arguments: [
        (draft(companions: [.named("")]), "companions.name"),
        (draft(companions: [.named("Mina"), .named("Mina")]), "companions"),
        (draft(companions: [.user(.user(1))]), "companions"), (draft(audience: .people), "audience"),
        (draft(notes: VisitNotes(photos: [Photo(fileID: .file(1)), Photo(fileID: .file(1), caption: "b")])), "photos"),
    ])
    func `rejects nameless and repeated companions, the user, files used twice and chosen people`(
        draft: VisitDraft,
        field: String
    ) {
        #expect(throws: Refusal.invalid(field: field)) { try Self.visit(draft) }
    }

    @Test(.proves("visit.limit")) func `a user has at most 10,000 visits`() throws {
        #expect(throws: Never.self) { try Self.visit(Self.draft(), count: 9_999) }
        for count in [10_000, 10_001] {
            #expect(throws: Refusal.visitLimit) { try Self.visit(Self.draft(), count: count) }
        }
    }
}
