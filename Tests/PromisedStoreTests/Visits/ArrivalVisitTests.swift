import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct ArrivalVisitTests {
    private static let promise = Promise.sample()

    @Test(.proves("16.1"))
    func `a result makes one visit for each credited arrival, with the others as companions`() async throws {
        try await withStore(users: 1...4) { store async throws in
            let rows: [PromiseResult.Row] = [
                .sample(.user(2), .early, seconds: -5, rank: 1), .sample(.user(1), .late, seconds: 90, rank: 2),
                .sample(.user(3), .noShow),
            ]
            let made = try await store.finish(rows)
            let expected =
                [(2, 1, Outcome.early, -5.0, 1), (1, 2, .late, 90, 2)] as [(UInt64, UInt64, Outcome, Double, Int)]
            #expect(made.count == expected.count)
            for (visit, (user, other, outcome, seconds, rank)) in zip(made, expected) {
                let arrival = VisitArrival(promiseID: Self.promise.id, outcome: outcome, rank: rank)
                #expect(visit.userID == .user(user) && visit.source == .arrival(arrival))
                #expect(visit.companions == [.user(.user(other))])
                #expect(visit.moment.at == .meeting + .seconds(seconds) && visit.moment.place == Self.promise.place)
                #expect(visit.moment.category == nil && visit.weather == nil)
                #expect(visit.notes == VisitNotes() && visit.audience == .onlyMe && visit.version == 1)
                #expect(try await store.visits.visit(visit.id, seenBy: visit.userID) == visit)
            }
            #expect(try await store.count("visit") == 2)
        }
    }

    @Test(.proves("16.7"))
    func `stores the mark of simulated positions in the result and the visit, and counts no such visit`() async throws {
        try await withStore(users: 1...2) { store async throws in
            var mock = PromiseResult.Row.sample(.user(2), .early, seconds: -5, rank: 1)
            mock.isMock = true
            let rows = [mock, .sample(.user(1), .late, seconds: 90, rank: 2)]
            let made = try await store.finish(rows)
            #expect(made.map { $0.arrival?.isMock } == [true, false])
            #expect(try await store.sessions.snapshot(of: Self.promise.id, withFixes: false)?.result?.rows == rows)
            for visit in made { #expect(try await store.visits.visit(visit.id, seenBy: visit.userID) == visit) }
            let statistics = try await store.visits.visitStatistics(of: .user(2))
            #expect((statistics.visits, statistics.counted) == (1, 0))
            #expect(statistics.badges.allSatisfy { $0.earnedAt == nil })
            #expect(try await store.visits.visitStatistics(of: .user(1)).counted == 1)
        }
    }

    @Test func `the day is that of the place, and the weather that of the hour`() async throws {
        try await withStore(users: 1...2) { store async throws in
            var promise = Self.promise
            promise.place.coordinate = Coordinate(latitude: 37.5, longitude: 127)
            // 2026-11-21T09:00Z is the next day 15 hours further east.
            let visits = ArrivalVisits(
                zone: { _ in ZoneOffsets(offsetSeconds: 15 * 3_600) },
                weatherSources: [.metNorway, .openMeteo, .kma]
            )
            for source in [WeatherSource.kma, .openMeteo] {
                let record = WeatherRecord(
                    cell: try #require(source.cell(at: promise.place.coordinate)),
                    source: source,
                    fetchedAt: .meeting - .hours(2),
                    hours: [ForecastHour(at: .meeting, condition: .clear, temperatureCelsius: 21)]
                )
                try await store.weather.keepWeather(record)
            }
            let made = try await store.finish(
                [
                    .sample(.user(1), .onTime, seconds: 30, rank: 2),
                    .sample(.user(2), .early, seconds: -3_601, rank: 1),
                ],
                of: promise,
                visits: visits
            )
            #expect(made.map(\.moment.localDate.day) == [22, 21])
            #expect(made[0].weather?.source == .openMeteo && made[0].weather?.forecast.temperatureCelsius == 21)
            // A record has no values for times more than an hour before its first one.
            #expect(made[1].weather == nil)
        }
    }

    @Test(arguments: [false, true])
    func `a place of the directory gives category, region and market day`(isRemoved: Bool) async throws {
        try await withStore(users: 1...2) { store async throws in
            var row = ImportedPlace.sample(1)
            row.categories = [CategoryID(text: "market/periodic"), CategoryID(text: "cafe")]
            row.hours = "day 1,6"
            let id = try await store.fill([row]).seen[0]
            var promise = Self.promise
            promise.place.placeID = id
            let zones = ["Asia/Seoul": ZoneOffsets(offsetSeconds: 9 * 3_600)]
            let visits = ArrivalVisits(zone: { zones[$0] ?? .utc })
            let epoch = try await store.open(promise, with: [.accepted(.user(2))])
            if isRemoved { try await store.places.removePlaces([id], at: .meeting) }
            let rows: [PromiseResult.Row] = [
                .sample(.user(1), .onTime, seconds: 0, rank: 1), .sample(.user(2), .noShow),
            ]
            let result = PromiseResult.sample(rows, of: promise)
            let made = try await store.commit(result.commit, ownerEpoch: epoch, visits: visits)
            let moment = try #require(made.first).moment
            // The copy that the promise has, not the directory's name.
            #expect(moment.place == promise.place && moment.category == row.categories[0])
            #expect(moment.region == RegionCode(text: "KR-11/종로구") && moment.isMarketDay)
            #expect(try await store.visits.visitCount(of: .user(1), to: id) == 1)
        }
    }

    @Test(.proves("16.6"))
    func `without a zone of the place, a visit has the date of its position or user`() async throws {
        try await withStore(users: 1...2) { store async throws in
            for (user, zone) in [(1, "America/Denver"), (2, "America/Chicago")] as [(UInt64, String)] {
                _ = try await store.accounts.changeAccount(.user(user), AccountChanges(timeZone: zone))
            }
            let offsets = ["America/Denver": -7, "America/Chicago": -6, "Asia/Seoul": 9].mapValues {
                ZoneOffsets(offsetSeconds: $0 * 3_600)
            }
            let visits = ArrivalVisits(zone: { offsets[$0] })
            // 06:30 UTC: half past midnight in Chicago, half an hour earlier in Denver.
            let rows: [PromiseResult.Row] = [
                .sample(.user(1), .early, seconds: -9_000, rank: 1),
                .sample(.user(2), .early, seconds: -9_000, rank: 1),
            ]
            for (number, (longitude, days)) in ([(-97.34, [20, 21]), (127, [21, 21])] as [(Double, [Int64])])
                .enumerated()
            {
                var promise = Promise.sample(number: UInt64(number + 1))
                promise.place.coordinate = Coordinate(latitude: 37.5, longitude: longitude)
                let made = try await store.finish(rows, of: promise, visits: visits)
                #expect(made.map(\.moment.localDate.day) == days)
            }
        }
    }

    @Test func `renaming, moving and removing a place changes no visit`() async throws {
        try await withStore(users: 1...2) { store async throws in
            var row = ImportedPlace.sample(1)
            let id = try await store.fill([row]).seen[0]
            var promise = Self.promise
            promise.place.placeID = id
            let rows: [PromiseResult.Row] = [.sample(.user(1), .onTime, seconds: 0, rank: 1)]
            let arrival = try #require(try await store.finish(rows, of: promise).first)
            let visits = [arrival, try await store.createVisit(1) { $0.moment = .sample(placeID: id) }]
            let statistics = try await store.visits.visitStatistics(of: .user(1))
            func expectUnchanged() async throws {
                for visit in visits { #expect(try await store.visits.visit(visit.id, seenBy: .user(1)) == visit) }
                #expect(try await store.visits.visitStatistics(of: .user(1)) == statistics)
                #expect(try await store.visits.visitCount(of: .user(1), to: id) == 2)
            }
            (row.name, row.coordinate.latitude, row.categories) = ("Another name", 1, [CategoryID(text: "park")])
            #expect(try await store.fill([row], at: .meeting + .days(1)).seen == [id])
            try await expectUnchanged()
            #expect(try await store.places.removePlaces([id], at: .meeting + .days(2)) == 1)
            try await expectUnchanged()
            #expect(try await store.places.sweepPlaces(removedBefore: .meeting + .days(900), limit: 9) == 0)
            try await expectUnchanged()
        }
    }

    /// They are companions of the others nevertheless.
    @Test(arguments: ["off", "deleting", "deleted"]) func `makes no visit for excluded users`(
        _ reason: String
    ) async throws {
        try await withStore(users: 1...2) { store async throws in
            let epoch = try await store.open(Self.promise, with: [.accepted(.user(2))])
            switch reason {
            case "off":
                let outcome = try await store.accounts.changeAccount(
                    .user(2),
                    AccountChanges(visitsFromArrivals: false)
                )
                guard case .changed(let account) = outcome else { throw StoreError.missing }
                #expect(!account.visitsFromArrivals)
            case "deleting":
                _ = try await store.deletions.beginDeletion(of: .user(2), at: .meeting, subjectKey: { _ in [] })
            default: try await store.deletions.makeTombstone(of: .user(2), at: .meeting, subjectKey: { _ in [] })
            }
            let result = PromiseResult.sample([
                .sample(.user(1), .onTime, seconds: 0, rank: 2), .sample(.user(2), .early, seconds: -1, rank: 1),
            ])
            let made = try await store.commit(result.commit, ownerEpoch: epoch, visits: .inUTC)
            #expect(made.map(\.userID) == [.user(1)] && made.first?.companions == [.user(.user(2))])
        }
    }

    @Test func `the setting is initially on and can be enabled again`() async throws {
        try await withStore(users: 1...2) { store async throws in
            #expect(try await store.accounts.account(.user(1))?.visitsFromArrivals == true)
            for (number, isOn) in [false, true].enumerated() {
                _ = try await store.accounts.changeAccount(.user(1), AccountChanges(visitsFromArrivals: isOn))
                #expect(try await store.accounts.account(.user(1))?.visitsFromArrivals == isOn)
                _ = try await store.accounts.changeAccount(.user(1), AccountChanges(locale: "en"))
                #expect(try await store.accounts.account(.user(1))?.visitsFromArrivals == isOn)
                let made = try await store.finish(
                    [.sample(.user(1), .onTime, seconds: 0, rank: 1)],
                    of: .sample(number: UInt64(number + 1))
                )
                #expect(made.count == (isOn ? 1 : 0))
            }
        }
    }

    @Test func `an excuse after the result makes and changes no visit`() async throws {
        try await withStore(users: 1...2) { store async throws in
            let rows: [PromiseResult.Row] = [
                .sample(.user(1), .late, seconds: 90, rank: 1), .sample(.user(2), .noShow),
            ]
            let visit = try #require(try await store.finish(rows).first)
            var excused = PromiseResult.sample(rows)
            excused.rows[1].outcome = .excused
            var commit = excused.commit
            commit.mark = nil
            #expect(try await store.commit(commit, ownerEpoch: 1, visits: .inUTC) == [])
            #expect(try await store.promises.result(of: Self.promise.id)?.rows[1].outcome == .excused)
            #expect(try await store.visits.visit(visit.id, seenBy: .user(1)) == visit)
            #expect(try await store.count("visit") == 1)
        }
    }

    @Test(arguments: [false, true])
    func `a visit or its mark prevents another of the same promise`(isDeleted: Bool) async throws {
        try await withStore(users: 1...2) { store async throws in
            let rows: [PromiseResult.Row] = [.sample(.user(1), .onTime, seconds: 0, rank: 1)]
            let visit = try #require(try await store.finish(rows).first)
            if isDeleted { #expect(try await store.visits.deleteVisit(visit.id, of: .user(1)) == []) }
            // As if the result had not been written, which never happens by itself.
            try await store.write { db in try db.script("DELETE FROM result; UPDATE promise SET mark = 0") }
            let again = try await store.commit(PromiseResult.sample(rows).commit, ownerEpoch: 1, visits: .inUTC)
            #expect(again == [])
            #expect(try await store.count("visit") == (isDeleted ? 0 : 1))
            #expect(try await store.count("visit_mark") == (isDeleted ? 1 : 0))
        }
    }

    @Test(.proves("16.1")) func `writes result and visits together or not at all`() async throws {
        try await withStore(users: 1...2) { store async throws in
            let epoch = try await store.open(Self.promise, with: [.accepted(.user(2))])
            let result = PromiseResult.sample([
                .sample(.user(1), .onTime, seconds: 0, rank: 2), .sample(.user(2), .early, seconds: -1, rank: 1),
            ])
            // Both visits would have the same id.
            let stuck = ArrivalVisits(zone: { _ in .utc }, random: RandomSource { 4 })
            await #expect(throws: StoreError.self) {
                try await store.commit(result.commit, ownerEpoch: epoch, visits: stuck)
            }
            #expect(try await store.promises.result(of: Self.promise.id) == nil)
            #expect(try await store.count("visit") == 0)
            await #expect(throws: StoreError.fenced) {
                try await store.sessions.commit(result.commit, ownerEpoch: epoch + 1)
            }
            #expect(try await store.count("visit") == 0)
            #expect(try await store.commit(result.commit, ownerEpoch: epoch, visits: .inUTC).count == 2)
            await #expect(throws: StoreError.broken("A second result")) {
                try await store.sessions.commit(result.commit, ownerEpoch: epoch)
            }
            #expect(try await store.count("visit") == 2)
        }
    }

    @Test(.proves("16.1")) func `stores the visits once after a crash`() async throws {
        try await withStore(users: 1...2) { store, directory async throws in
            let visit = try #require(try await store.finish([.sample(.user(1), .onTime, seconds: 0, rank: 1)]).first)
            let copy = try directory.copyAfterCrash()
            let again = try await Store.open(directory: copy.path)
            #expect(try await again.visits.visits(of: .user(1), seenBy: .user(1), limit: 9).items == [visit])
            let epoch = try await again.sessions.activate(Self.promise.id)
            let result = PromiseResult.sample([.sample(.user(1), .onTime, seconds: 0, rank: 1)])
            await #expect(throws: StoreError.broken("A second result")) {
                try await again.sessions.commit(result.commit, ownerEpoch: epoch)
            }
            #expect(try await again.count("visit") == 1)
            #expect(try await again.upkeep.verify() == [])
            try await again.close()
        }
    }

    @Test func `writes a result despite damaged weather`() async throws {
        try await withStore(users: 1...2) { store async throws in
            let visits = ArrivalVisits(zone: { _ in .utc }, weatherSources: [.openMeteo])
            let cell = try #require(WeatherSource.openMeteo.cell(at: Self.promise.place.coordinate))
            let record = WeatherRecord(
                cell: cell,
                source: .openMeteo,
                fetchedAt: .meeting,
                hours: [ForecastHour(at: .meeting, condition: .clear)]
            )
            try await store.weather.keepWeather(record)
            try await store.write { db in try db.script("UPDATE weather_cell SET hours = x'02'") }
            let rows: [PromiseResult.Row] = [.sample(.user(1), .onTime, seconds: 0, rank: 1)]
            let made = try await store.finish(rows, visits: visits)
            #expect(made.count == 1 && made.first?.weather == nil)
            try await store.write { db in try db.script("DELETE FROM weather_cell") }
        }
    }
}

extension PromiseResult {
    fileprivate static func sample(_ rows: [Row], of promise: Promise = .sample()) -> PromiseResult {
        PromiseResult(
            promiseID: promise.id,
            meetsAt: promise.meetsAt,
            finalAt: promise.settlesAt,
            penalty: nil,
            rows: rows
        )
    }

    /// The commit that makes it final.
    fileprivate var commit: SessionCommit {
        var commit = SessionCommit(promiseID: promiseID)
        commit.mark = .final
        commit.result = self
        return commit
    }
}

extension Store {
    /// Finishes a promise of user 1 among the users of the rows.
    fileprivate func finish(
        _ rows: [PromiseResult.Row],
        of promise: Promise = .sample(),
        visits: ArrivalVisits = .inUTC
    ) async throws -> [Visit] {
        let others = rows.map(\.userID).filter { $0 != promise.ownerID }.map { Participant.accepted($0) }
        let epoch = try await open(promise, with: others)
        let result = PromiseResult.sample(rows, of: promise)
        return try await commit(result.commit, ownerEpoch: epoch, visits: visits)
    }
}
