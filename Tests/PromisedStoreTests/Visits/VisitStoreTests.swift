import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct VisitStoreTests {
    static let now = Instant.meeting

    @Test func `reads a visit back with photos and companions in order`() async throws {
        try await withStore(users: 1...3) { store async throws in
            let place = try await store.fill([.sample(1)]).seen[0]
            try await store.add((1...10).map { .sample($0) })
            let visit = try await store.createVisit(1, photos: [3, 1, 2, 10, 4, 9, 5, 8, 6, 7]) { draft in
                draft.moment = .sample(placeID: place)
                draft.companions = [.named("Bea"), .user(.user(3)), .user(.user(2)), .named("Ada")]
                draft.audience = .companions
            }
            #expect(visit.version == 1 && visit.weather != nil && visit.source == .hand)
            #expect(try await store.visits.visit(.visit(1), seenBy: .user(1)) == visit)
            #expect(try await store.visits.visitCount(of: .user(1), to: place) == 1)
            #expect(try await store.visits.visitCount(of: .user(2), to: place) == 0)
            let file = try await store.files.file(.file(3))
            #expect(file?.item == .visit(.visit(1)) && file?.usedAt == Self.now)
            let bare = try await store.createVisit(2) { draft in
                draft.moment = .sample(category: nil, region: nil)
                draft.companions = []
                draft.weather = nil
            }
            #expect(try await store.visits.visit(.visit(2), seenBy: .user(1)) == bare)
        }
    }

    @Test(.proves("16.3")) func `a companion sees a visit for companions while they are friends`() async throws {
        try await withStore(users: 1...3) { store async throws in
            try await store.createVisit(1) { draft in
                draft.companions = [.user(.user(2))]
                draft.audience = .companions
            }
            func sees(_ viewer: UInt64) async throws -> Bool {
                let isListed = try await !store.visits.visits(of: .user(1), seenBy: .user(viewer), limit: 9).items
                    .isEmpty
                #expect(try await (store.visits.visit(.visit(1), seenBy: .user(viewer)) != nil) == isListed)
                return isListed
            }
            #expect(try await !sees(2))
            for other in [2, 3] as [UInt64] { try await store.befriend(1, other) }
            #expect(try await sees(2))
            // A friend who is not a companion does not see it.
            #expect(try await !sees(3))
            try await store.part(1, 2)
            #expect(try await !sees(2))
            try await store.befriend(2, 1)
            #expect(try await sees(2))
            _ = try await store.friendships.block(.user(1), by: .user(2), at: .meeting)
            #expect(try await !sees(2))
            // They remain in it nevertheless.
            #expect(try await store.visits.visit(.visit(1), seenBy: .user(1))?.companions == [.user(.user(2))])
        }
    }

    /// The result of a second request with the same key, by its content and the time since the first.
    @Test(arguments: [
        (UInt8(1), TimeSpan.hours(24) - .milliseconds(1), Result<VisitID, Refusal>.success(.visit(1))),
        (1, .hours(24), .success(.visit(3))), (2, .hours(24) - .milliseconds(1), .failure(.requestKeyReused)),
        (2, .hours(24), .success(.visit(3))),
    ])
    func `a key identifies one visit for a day`(
        hash: UInt8,
        later: TimeSpan,
        expected: Result<VisitID, Refusal>
    ) async throws {
        try await withStore(users: 1...2) { store async throws in
            #expect(try await store.create(.sample(), 1, key: "k").get().id == .visit(1))
            #expect(try await store.create(.sample(), 2, of: .user(2), key: "k").get().id == .visit(2))
            let again = try await store.create(.sample(), 3, key: "k", hash: hash, at: Self.now + later)
            #expect(again.map(\.id) == expected)
            #expect(try await store.count("visit") == (expected == .success(.visit(3)) ? 3 : 2))
        }
    }

    @Test func `a key whose visit was deleted is free again`() async throws {
        try await withStore(users: 1...1) { store async throws in
            _ = try await store.create(.sample(), 1, key: "k").get()
            #expect(try await store.visits.deleteVisit(.visit(1), of: .user(1)) == [])
            #expect(try await store.create(.sample(), 2, key: "k").get().id == .visit(2))
        }
    }

    /// Photos of a new visit of user 1, the first of them valid, and the reason for their rejection.
    @Test(
        arguments: [
            ([1, 9], .fileNotFound),  // Does not exist.
            ([1, 4], .fileNotFound),  // Another user's.
            ([1, 3], .fileNotFound),  // A track.
            ([1, 2], .fileNotFound),  // Belongs to a visit.
            ([1, 1], .invalid(field: "photos")),  // Twice.
            (Array(11...21), .invalid(field: "photos")),  // Eleven.
        ] as [([UInt64], Refusal)]
    )
    func `a photo belongs to one visit of its user, and a rejected visit leaves no trace`(
        photos: [UInt64],
        refusal: Refusal
    ) async throws {
        try await withStore(users: 1...2) { store async throws in
            try await store.add([.sample(1), .sample(2), .sample(3, kind: .track), .sample(4, of: .user(2))])
            try await store.add((11...21).map { .sample($0) })
            try await store.createVisit(1, photos: [2])
            let draft = VisitDraft.sample(photos: photos.map { Photo(fileID: .file($0)) })
            #expect(try await store.create(draft, 2, key: "k") == .failure(refusal))
            #expect(try await store.count("visit") == 1)
            #expect(try await store.count("companion") == 1)
            #expect(try await store.files.file(.file(1))?.usedAt == nil)
            // The key is unused as well.
            _ = try await store.create(.sample(), 2, key: "k", hash: 9).get()
        }
    }

    @Test func `gives a photo to one of many simultaneous visits`() async throws {
        try await withStore(users: 1...1) { store async throws in
            try await store.add([.sample(1)])
            let draft = VisitDraft.sample(photos: [Photo(fileID: .file(1))])
            let outcomes = try await withThrowingTaskGroup(of: Result<Visit, Refusal>.self) { group in
                for number in 1...20 as ClosedRange<UInt64> {
                    group.addTask { try await store.create(draft, number) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count { $0 == .failure(.fileNotFound) } == 19)
            #expect(try await store.count("visit") == 1)
        }
    }

    @Test func `requires a place of the directory, and keeps it after its removal`() async throws {
        try await withStore(users: 1...1) { store async throws in
            let ids = try await store.fill([.sample(1), .sample(2)]).seen
            let unknown = PlaceID(high: 1, low: 1)
            for (number, id) in [ids[0], unknown].enumerated() {
                let draft = VisitDraft.sample(moment: .sample(placeID: id))
                let outcome = try await store.create(draft, UInt64(number))
                #expect((outcome == .failure(.placeNotFound)) == (id == unknown))
            }
            try await store.places.removePlaces(ids, at: Self.now)
            // The row stays while the visit refers to it.
            #expect(try await store.places.sweepPlaces(removedBefore: Self.now + .days(31), limit: 9) == 1)
            var edit = VisitEdit(version: 1)
            edit.moment = .sample(at: Self.now, placeID: ids[0])
            _ = try await store.visits.updateVisit(.visit(0), of: .user(1), edit, at: Self.now).get()
            edit.version = 2
            edit.moment = .sample(placeID: ids[1])
            let moved = try await store.visits.updateVisit(.visit(0), of: .user(1), edit, at: Self.now)
            #expect(moved == .failure(.placeNotFound))
            let draft = VisitDraft.sample(moment: .sample(placeID: ids[0]))
            #expect(try await store.create(draft, 9) == .failure(.placeNotFound))
        }
    }

    @Test func `accepts at most ten thousand manual visits`() async throws {
        try await withStore(users: 1...2) { store async throws in
            let first = try await store.createVisit(1)
            try await store.write { db in
                for number in 2...UInt64(VisitLimits.visits) {
                    let visit = Visit(id: .visit(number), userID: .user(1), source: .hand, moment: first.moment)
                    try VisitRecord.insert(visit, into: db)
                }
            }
            #expect(try await store.create(.sample(), 10_001) == .failure(.visitLimit))
            _ = try await store.create(.sample(), 10_001, of: .user(2)).get()
            #expect(try await store.arrive(1...1).map(\.userID) == [.user(1)])
            for number in 2...3 as ClosedRange<UInt64> {
                #expect(try await store.visits.deleteVisit(.visit(number), of: .user(1)) == [])
            }
            _ = try await store.create(.sample(), 10_002).get()
            #expect(try await store.create(.sample(), 10_003) == .failure(.visitLimit))
            #expect(try await store.visits.visitStatistics(of: .user(1)).visits == 10_000)
        }
    }

    @Test func `an edit changes its fields and deletes the omitted photos`() async throws {
        try await withStore(users: 1...2) { store async throws in
            try await store.add((1...5).map { .sample($0) })
            var visit = try await store.createVisit(1, photos: [1, 2, 3])
            var edit = VisitEdit(version: 1)
            edit.moment = .sample(at: Self.now, name: "Pier", category: nil, region: "KR-26")
            edit.weather = .sample(at: Self.now)
            edit.kind = .book
            (edit.title, edit.memo, edit.emoji, edit.audience) = ("", "Other", "", .friends)
            edit.photos = [Photo(fileID: .file(4)), Photo(fileID: .file(3), caption: "Last"), Photo(fileID: .file(1))]
            edit.companions = [.user(.user(2))]
            let change = try await store.visits.updateVisit(.visit(1), of: .user(1), edit, at: Self.now).get()
            try visit.apply(edit, at: Self.now)
            #expect(change == VisitChange(visit: visit, removedFiles: [.file(2)]))
            #expect(try await store.visits.visit(.visit(1), seenBy: .user(1)) == visit)
            #expect(try await store.files.files(limit: 9).map(\.file.id) == [1, 3, 4, 5].map(FileID.file))
            // Repeating it has no effect.
            edit.version = 2
            let again = try await store.visits.updateVisit(.visit(1), of: .user(1), edit, at: Self.now).get()
            #expect(again == VisitChange(visit: visit, removedFiles: []))
        }
    }

    @Test func `a rejected edit changes nothing`() async throws {
        try await withStore(users: 1...2) { store async throws in
            try await store.add([.sample(1), .sample(2)])
            let visit = try await store.createVisit(1, photos: [1])
            var edit = VisitEdit(version: 1)
            edit.title = "Other"
            edit.photos = [Photo(fileID: .file(2)), Photo(fileID: .file(9))]
            func update(of user: UInt64 = 1) async throws -> Result<VisitChange, Refusal> {
                try await store.visits.updateVisit(.visit(1), of: .user(user), edit, at: Self.now)
            }
            #expect(try await update() == .failure(.fileNotFound))
            #expect(try await update(of: 2) == .failure(.visitNotFound))
            edit.version = 0
            #expect(try await update() == .failure(.visitStaleVersion))
            #expect(try await store.visits.visit(.visit(1), seenBy: .user(1)) == visit)
            #expect(try await store.files.file(.file(2))?.usedAt == nil)
        }
    }

    @Test func `only its user deletes a visit, once, with its photos`() async throws {
        try await withStore(users: 1...2) { store async throws in
            try await store.befriend(1, 2)
            try await store.add([.sample(1), .sample(2), .sample(3)])
            try await store.createVisit(1, photos: [2, 1]) { $0.audience = .friends }
            #expect(try await store.visits.deleteVisit(.visit(1), of: .user(2)) == nil)
            #expect(try await store.visits.deleteVisit(.visit(1), of: .user(1)) == [.file(2), .file(1)])
            #expect(try await store.visits.deleteVisit(.visit(1), of: .user(1)) == nil)
            #expect(try await store.visits.visit(.visit(1), seenBy: .user(1)) == nil)
            #expect(try await store.files.files(limit: 9).map(\.file.id) == [.file(3)])
            for table in ["visit", "visit_photo", "companion", "visit_mark"] {
                #expect(try await store.count(table) == 0, "\(table)")
            }
        }
    }

    @Test func `a concurrent deletion keeps the stored date of a badge`()
        async throws
    {
        try await withStore(users: 1...1) { store async throws in
            let (first, second) = (Instant.meeting, Instant.meeting + .hours(1))
            let dates = try await store.write { db in
                try VisitBadgeRecord.keep([.firstVisit: first, .places10: first], of: .user(1), in: db)
                try VisitBadgeRecord.keep([.firstVisit: second, .regions5: second], of: .user(1), in: db)
                return try VisitBadgeRecord.fetchAll(of: .user(1), from: db)
            }
            #expect(dates == [.firstVisit: first, .places10: first, .regions5: second])
        }
    }

    @Test func `a badge keeps its date while another visit remains`() async throws {
        try await withStore(users: 1...1) { store async throws in
            func earned() async throws -> Instant? {
                let badges = try await store.visits.visitStatistics(of: .user(1)).badges
                return badges.first { $0.badge == .firstVisit }?.earnedAt
            }
            let days = (0...2).map { Self.now - .days($0 * 7 + 1) }
            for (number, day) in days.enumerated() {
                try await store.createVisit(UInt64(number)) { $0.moment = .sample(at: day) }
            }
            #expect(try await earned() == days[2])
            _ = try await store.visits.deleteVisit(.visit(2), of: .user(1))
            #expect(try await earned() == days[2])
            _ = try await store.visits.deleteVisit(.visit(1), of: .user(1))
            #expect(try await earned() == days[2])
            _ = try await store.visits.deleteVisit(.visit(0), of: .user(1))
            #expect(try await earned() == nil)
            try await store.createVisit(3) { $0.moment = .sample(at: days[1]) }
            #expect(try await earned() == days[1])
        }
    }

    /// Random visits and deletions: at each step the statistics are those of the existing visits, with the badge dates
    /// of a model after the same steps.
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `statistics follow from the visits and the deletions before`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        try await withStore(users: 1...2) { store async throws in
            var visits: [Visit] = []
            var marks: [VisitBadge: Instant] = [:]
            for number in 1...40 as ClosedRange<UInt64> {
                if visits.count > 3, Bool.random(using: &generator) {
                    let index = Int.random(in: visits.indices, using: &generator)
                    let statistics = VisitStatistics(of: visits.compactMap { CountableVisit($0) }, marks: marks)
                    marks = visits.count > 1 ? statistics.marks : [:]
                    _ = try await store.visits.deleteVisit(visits.remove(at: index).id, of: .user(1))
                } else {
                    let day = Int64.random(in: 1...30, using: &generator)
                    let category = ["cafe", "park", nil].randomElement(using: &generator) ?? nil
                    let visit = try await store.createVisit(number) { draft in
                        draft.moment = .sample(at: Self.now - .days(day), category: category)
                        draft.companions = day > 15 ? [] : [.named("Bea")]
                    }
                    visits.append(visit)
                }
                let expected = VisitStatistics(of: visits.compactMap { CountableVisit($0) }, marks: marks)
                let actual = try await store.visits.visitStatistics(of: .user(1))
                #expect(actual.badges == expected.badges && actual.visits == visits.count)
                #expect(actual.counted == expected.counted && actual.categories == expected.categories)
                #expect(actual.regions == expected.regions && actual.places == expected.places)
            }
        }
    }

    @Test func `keeps an acknowledged visit with its photo after a crash`() async throws {
        try await withStore(users: 1...1) { store, directory async throws in
            try await store.add([.sample(1)])
            let visit = try await store.createVisit(1, photos: [1])
            let copy = try directory.copyAfterCrash()
            let again = try await Store.open(directory: copy.path)
            #expect(try await again.visits.visit(.visit(1), seenBy: .user(1)) == visit)
            #expect(try await again.upkeep.verify() == [])
            try await again.close()
        }
    }

    @Test func `reads the stored weather of earlier versions`() throws {
        let stored = """
            {"advice":["slippery"],"air":{"at":1795165200000,"pm10":12.5},"fetchedAt":1795162200000,"forecast":{"at":\
            1795165200000,"condition":"rain","feltCelsius":-3.1,"gustMps":9.7,"humidityPercent":91,"precipitationMm":\
            1.5,"precipitationPercent":80,"snowCm":0.1,"temperatureCelsius":-0.4,"windMps":3.3},"source":"kma"}
            """
        let weather = try #require(VisitWeather.sample(at: Self.now - .days(1)))
        #expect(try StoredJSON.encode(weather) == stored)
        #expect(try StoredJSON.decode(stored) == weather)
    }
}
