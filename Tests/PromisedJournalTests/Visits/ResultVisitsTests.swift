import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

@Suite struct ResultVisitsTests {
    private static func result(_ rows: [PromiseResult.Row]) -> PromiseResult {
        let promise = Promise.sample()
        return PromiseResult(
            promiseID: promise.id,
            meetsAt: promise.meetsAt,
            finalAt: promise.settlesAt,
            penalty: nil,
            rows: rows
        )
    }

    private static func row(
        _ user: UInt64,
        _ outcome: Outcome,
        credited: Int64? = nil,
        rank: Int = 0
    ) -> PromiseResult.Row {
        PromiseResult.Row(
            userID: .user(user),
            outcome: outcome,
            creditedAt: credited.map { .meeting + .minutes($0) },
            secondsFromMeeting: Int(credited ?? 0) * 60,
            rank: rank,
            source: credited == nil ? nil : .gps,
            penaltyOwed: 0
        )
    }

    private static func visits(
        _ rows: [PromiseResult.Row],
        at site: VisitSite = VisitSite(Promise.sample().place, in: .utc),
        excluding excluded: Set<UserID> = [],
        weather: (Instant) -> VisitWeather? = { _ in nil }
    ) -> [Visit] {
        var generator = SeededGenerator(seed: 1)
        return result(rows).visits(
            excluding: excluded,
            moment: { _, instant in site.moment(at: instant) },
            weather: weather,
            now: Promise.sample().settlesAt,
            using: &generator
        )
    }

    @Test(.proves("16.7")) func `an arrival by simulated positions makes a visit with the mark`() {
        var row = Self.row(1, .early, credited: -5, rank: 1)
        row.isMock = true
        let visits = Self.visits([row, Self.row(2, .onTime, credited: 0, rank: 2)])
        #expect(visits.map { $0.arrival?.isMock } == [true, false])
    }

    @Test(.proves("16.1"))
    func `makes one visit for each participant with a credited time, with the others who arrived`() {
        let visits = Self.visits([
            Self.row(3, .early, credited: -5, rank: 1), Self.row(1, .onTime, credited: 0, rank: 2),
            Self.row(4, .excused, credited: 90, rank: 3), Self.row(2, .noShow), Self.row(5, .left),
            Self.row(6, .excused),
        ])
        #expect(visits.map(\.userID) == [.user(3), .user(1), .user(4)])
        #expect(visits.map(\.moment.at) == [-5, 0, 90].map { .meeting + .minutes($0) })
        #expect(visits.map { $0.arrival?.outcome } == [.early, .onTime, .excused])
        #expect(visits.map { $0.arrival?.rank } == [1, 2, 3])
        #expect(visits.map(\.companions) == [[1, 4], [3, 4], [3, 1]].map { $0.map { .user(.user($0)) } })
        #expect(Set(visits.map(\.id)).count == 3)
        for visit in visits {
            #expect(visit.arrival?.promiseID == Promise.sample().id)
            #expect(visit.moment.place == Promise.sample().place)
            #expect((visit.notes, visit.audience, visit.version) == (VisitNotes(), .onlyMe, 1))
        }
    }

    @Test func `makes no visit for excluded users, who stay companions`() {
        let rows = [Self.row(1, .early, credited: -1, rank: 1), Self.row(2, .late, credited: 2, rank: 2)]
        let visits = Self.visits(rows, excluding: [.user(2), .user(9)])
        #expect(visits.map(\.userID) == [.user(1)])
        #expect(visits.map(\.companions) == [[.user(.user(2))]])
    }

    @Test func `makes no visit without an arrival`() {
        #expect(Self.visits([Self.row(1, .noShow), Self.row(2, .left)]).isEmpty)
        #expect(Self.visits([]).isEmpty)
    }

    @Test func `limits companions to the first 20 others`() {
        let visits = Self.visits((1...50).map { Self.row($0, .early, credited: Int64($0) - 60, rank: Int($0)) })
        #expect(visits.count == 50)
        #expect(visits[0].companions == (2...21).map { .user(.user($0)) })
        #expect(visits[49].companions == (1...20).map { .user(.user($0)) })
    }

    @Test func `takes date and weather of the credited time`() {
        // The meeting is at 23:30 of November 21 on this clock.
        let site = VisitSite(Promise.sample().place, in: ZoneOffsets(offsetSeconds: 52_200))
        let rows = [Self.row(1, .early, credited: -1, rank: 1), Self.row(2, .late, credited: 30, rank: 2)]
        let visits = Self.visits(rows, at: site) { VisitWeather.sample(at: $0) }
        #expect(visits.map(\.moment.localDate) == [.date("2026-11-21"), .date("2026-11-22")])
        #expect(visits.map { $0.weather?.fetchedAt } == visits.map(\.moment.at))
    }
}
