import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

@Suite struct VisitStatisticsTests {
    /// A visit by hand, or from an arrival with an outcome.
    private static func visit(
        _ moment: VisitMoment,
        outcome: Outcome? = nil,
        hasCompanions: Bool = false,
        isMock: Bool = false
    ) -> CountableVisit {
        CountableVisit(
            spot: CountableVisit.Spot(moment.place.placeID, at: moment.place.coordinate),
            day: moment.localDate.daysSince1970 ?? 0,
            at: moment.at,
            category: moment.category,
            region: moment.region,
            isMarketDay: moment.isMarketDay,
            outcome: outcome,
            hasCompanions: hasCompanions,
            isMock: isMock
        )
    }

    /// Visits to one place on following days.
    private static func days(_ days: Range<Int64>, place: UInt64 = 1) -> [CountableVisit] {
        days.map { visit(.sample(place: place, day: $0)) }
    }

    private static func badge(_ badge: VisitBadge, of statistics: VisitStatistics) -> BadgeProgress? {
        statistics.badges.first { $0.badge == badge }
    }

    // MARK: - Levels

    @Test(
        .proves("16.4"),
        arguments: [
            (0, 1, 6), (2, 1, 4), (3, 1, 3), (5, 1, 1), (6, 2, 3), (8, 2, 1), (9, 3, 3), (29, 9, 1), (30, 10, 0),
            (31, 10, 0),
        ]
    )
    func `three counted visits make a level, up to 10`(counted: Int, level: Int, toNext: Int) {
        let statistics = VisitStatistics(of: Self.days(0..<Int64(counted)))
        #expect((statistics.visits, statistics.counted) == (counted, counted))
        #expect((statistics.level, statistics.toNext) == (level, toNext))
        #expect(statistics.categories.map(\.level) == (counted == 0 ? [] : [level]))
        #expect(VisitStatistics(of: Self.days(0..<Int64(counted + toNext))).level == min(10, level + 1))
    }

    // MARK: - Counting

    @Test(.proves("16.7")) func `a visit by simulated positions counts for no level and no badge`() {
        let moment = VisitMoment.sample(place: 2, day: 5)
        let mock = Self.visit(moment, outcome: .early, hasCompanions: true, isMock: true)
        let statistics = VisitStatistics(of: Self.days(0..<1) + [mock])
        #expect((statistics.visits, statistics.counted, statistics.places) == (2, 1, 1))
        #expect(Self.badge(.onTime10, of: statistics)?.progress == 0)
        #expect(Self.badge(.together10, of: statistics)?.progress == 0)
        #expect(VisitStatistics(of: [mock]).badges.allSatisfy { $0.earnedAt == nil && $0.progress == 0 })
        let honest = Self.visit(moment, outcome: .early, hasCompanions: true)
        #expect(Self.badge(.onTime10, of: VisitStatistics(of: [mock, honest]))?.progress == 1)
    }

    @Test(.proves("16.4")) func `counts two visits of a place on one day once`() {
        let visits = Self.days(0..<2) + Self.days(0..<2) + Self.days(0..<1, place: 2)
        let statistics = VisitStatistics(of: visits)
        #expect((statistics.visits, statistics.counted, statistics.places) == (5, 3, 2))
    }

    @Test(arguments: [
        (37.566_4, 126.977_6, 1), (37.565_6, 126.978_4, 1), (37.566_6, 126.978_0, 2), (37.566_0, 126.977_4, 2),
    ])
    func `distinguishes places without an id by three decimals`(latitude: Double, longitude: Double, places: Int) {
        let visits = [
            Coordinate(latitude: 37.566, longitude: 126.978), Coordinate(latitude: latitude, longitude: longitude),
        ]
        .map { Self.visit(.sample(place: nil, coordinate: $0)) }
        let statistics = VisitStatistics(of: visits)
        #expect((statistics.counted, statistics.places) == (places, places))
    }

    @Test func `uses the local date, not that of UTC`() {
        var late = VisitMoment.sample()
        late.at = late.at + .hours(20)
        #expect(VisitStatistics(of: [Self.visit(.sample()), Self.visit(late)]).counted == 1)
        late.localDate = .date("2026-11-22")
        #expect(VisitStatistics(of: [Self.visit(.sample()), Self.visit(late)]).counted == 2)
    }

    @Test(.proves("16.4")) func `sorts categories and regions of the first level largest first`() {
        let moments: [VisitMoment] = [
            .sample(place: 1, category: "cafe", region: "KR-11/종로구"),
            .sample(place: 2, category: "park", region: "KR-11/중구"),
            .sample(place: 3, category: "park", region: "KR-26"),
            .sample(place: 4, category: nil, region: nil),
            .sample(place: 5, category: "market/permanent", region: "JP-13"),
            .sample(place: 5, category: "market/permanent", region: "JP-13"),
        ]
        let statistics = VisitStatistics(of: moments.map { Self.visit($0) })
        #expect(statistics.categories.map(\.category.text) == ["park", "cafe", "market/permanent"])
        #expect(statistics.categories.map(\.counted) == [2, 1, 1])
        #expect(statistics.regions.map(\.region.text) == ["KR-11", "JP-13", "KR-26"])
        #expect(statistics.regions.map(\.counted) == [2, 1, 1])
    }

    // MARK: - Badges

    struct Goal: CustomTestStringConvertible, Sendable {
        let badge: VisitBadge
        let goal: Int
        /// The visit with this number, counted from 0, on its own day.
        let visit: @Sendable (Int) -> CountableVisit
        var testDescription: String { badge.rawValue }
    }

    private static func day(_ number: Int) -> CountableVisit { visit(.sample(day: Int64(number))) }

    static let goals = [
        Goal(badge: .firstVisit, goal: 1, visit: day), Goal(badge: .visits10, goal: 10, visit: day),
        Goal(badge: .visits30, goal: 30, visit: day), Goal(badge: .visits100, goal: 100, visit: day),
        Goal(badge: .places10, goal: 10) { visit(.sample(place: UInt64($0), day: Int64($0))) },
        Goal(badge: .categories5, goal: 5) { number in
            visit(.sample(place: UInt64(number), category: PlaceCategory.builtIn[number].id.text, day: Int64(number)))
        },
        Goal(badge: .regions5, goal: 5) { visit(.sample(region: "JP-\($0)/a", day: Int64($0))) },
        Goal(badge: .regionsKR, goal: 17) { number in
            let provinces = KoreanProvince.allCases
            return visit(.sample(region: provinces[number % 17].rawValue, day: Int64(number)))
        },
        Goal(badge: .marketDays5, goal: 5) { visit(.sample(day: Int64($0), isMarketDay: true)) },
        Goal(badge: .together10, goal: 10) { visit(.sample(day: Int64($0)), outcome: .late, hasCompanions: true) },
        Goal(badge: .onTime10, goal: 10) { number in
            visit(.sample(day: Int64(number)), outcome: number % 2 == 0 ? .early : .onTime)
        },
    ]

    @Test(arguments: goals) func `the visit that reaches the goal earns a badge`(goal: Goal) {
        for count in [goal.goal - 1, goal.goal, goal.goal + 1] {
            let visits = (0..<count).map(goal.visit)
            let progress = Self.badge(goal.badge, of: VisitStatistics(of: visits.reversed()))
            #expect(progress?.progress == min(count, goal.goal))
            #expect(progress?.badge.goal == goal.goal)
            #expect(progress?.earnedAt == (count < goal.goal ? nil : .meeting + .days(Int64(goal.goal - 1))))
        }
    }

    @Test func `all badges have a goal in the table, in their order`() {
        #expect(Self.goals.map(\.badge) == VisitBadge.allCases)
        #expect(VisitStatistics(of: []).badges.map(\.badge) == VisitBadge.allCases)
    }

    @Test func `counts early and punctual arrivals, and arrivals with a companion, for their badges`() {
        let others: [Outcome?] = [nil, .late, .excused]
        let visits = others.enumerated().map { number, outcome in
            Self.visit(.sample(day: Int64(number)), outcome: outcome, hasCompanions: outcome == nil)
        }
        let statistics = VisitStatistics(of: visits)
        #expect(Self.badge(.onTime10, of: statistics)?.progress == 0)
        #expect(Self.badge(.together10, of: statistics)?.progress == 0)
    }

    @Test func `counts a place visited twice on a market day once for the badge`() {
        let visits = [true, true, false].map { Self.visit(.sample(isMarketDay: $0)) }
        #expect(Self.badge(.marketDays5, of: VisitStatistics(of: visits))?.progress == 1)
    }

    // MARK: - Marks

    @Test(.proves("16.5")) func `a badge's date stays when older visits are deleted and others remain`() {
        let visits = Self.days(0..<12)
        let before = VisitStatistics(of: visits)
        #expect(before.marks == [.firstVisit: .meeting, .visits10: .meeting + .days(9)])
        for left in [visits.dropFirst(1), visits.dropFirst(5), visits.dropFirst(11)] {
            let after = VisitStatistics(of: left, marks: before.marks)
            #expect(after.marks == before.marks)
            #expect(Self.badge(.visits10, of: after)?.progress == min(10, left.count))
        }
        let none = VisitStatistics(of: [], marks: before.marks)
        #expect(none.marks.isEmpty)
        #expect(none.badges.allSatisfy { $0.earnedAt == nil && $0.progress == 0 })
    }

    @Test func `a badge's date stays when an older visit is added`() {
        let before = VisitStatistics(of: Self.days(0..<10))
        let after = VisitStatistics(of: Self.days(-3..<10), marks: before.marks)
        #expect(after.marks == before.marks)
    }

    @Test(.proves("16.5"), arguments: 1...20)
    func `marks stay through additions and deletions until no visit is left`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var visits: [CountableVisit] = []
        var marks: [VisitBadge: Instant] = [:]
        for _ in 0..<200 {
            if Int.random(in: 0..<5, using: &generator) < 3 || visits.isEmpty {
                let province = KoreanProvince.allCases.randomElement(using: &generator)
                let moment = VisitMoment.sample(
                    place: .random(in: 1...6, using: &generator),
                    category: PlaceCategory.builtIn.randomElement(using: &generator)?.id.text,
                    region: province?.rawValue,
                    day: .random(in: 0...20, using: &generator),
                    isMarketDay: .random(using: &generator)
                )
                visits.append(Self.visit(moment, outcome: .early, hasCompanions: true))
            } else {
                visits.remove(at: .random(in: visits.indices, using: &generator))
            }
            let statistics = VisitStatistics(of: visits, marks: marks)
            let groups = Dictionary(grouping: visits) { "\($0.spot) \($0.day)" }
            #expect(statistics.counted == groups.count, "seed \(seed)")
            #expect(statistics.regions.reduce(0) { $0 + $1.counted } == groups.count, "seed \(seed)")
            for (badge, date) in marks where !visits.isEmpty {
                #expect(statistics.marks[badge] == date, "seed \(seed)")
            }
            #expect(visits.isEmpty == statistics.marks.isEmpty, "seed \(seed)")
            var ordered = visits.sorted { $0.at < $1.at }.makeIterator()
            let new = VisitStatistics.newMarks(beside: marks) { ordered.next() }
            #expect(visits.isEmpty || marks.merging(new) { old, _ in old } == statistics.marks, "seed \(seed)")
            #expect(Set(new.keys).isDisjoint(with: marks.keys), "seed \(seed)")
            marks = statistics.marks
        }
    }

    @Test func `reads no more visits than the badges without a date need`() {
        func needed(_ badges: Set<VisitBadge>) -> Int {
            let marks = Dictionary(
                uniqueKeysWithValues: Set(VisitBadge.allCases).subtracting(badges).map { ($0, Instant.meeting) }
            )
            var (visits, taken) = (Self.days(0..<40).makeIterator(), 0)
            let new = VisitStatistics.newMarks(beside: marks) { () -> CountableVisit? in
                guard let visit = visits.next() else { return nil }
                taken += 1
                return visit
            }
            #expect(new.keys.allSatisfy(badges.contains))
            return taken
        }
        #expect(needed([]) == 0)
        #expect(needed([.firstVisit]) == 1)
        #expect(needed([.firstVisit, .visits30]) == 30)
        #expect(needed([.firstVisit, .regionsKR]) == 40)
    }

    @Test func `counts a visit by all its parts`() throws {
        let moment = VisitMoment.sample(place: nil, day: 3, isMarketDay: true)
        let hand = try #require(CountableVisit(.sample(moment: moment, companions: [.named("Bea")])))
        #expect(hand == Self.visit(moment, hasCompanions: true) && !hand.isTogether && !hand.isOnTime)
        let arrival = Visit.sample(source: .sampleArrival, moment: moment, companions: [.named("Bea")])
        let counted = try #require(CountableVisit(arrival))
        #expect(counted == Self.visit(moment, outcome: .early, hasCompanions: true))
        #expect(counted.isTogether && counted.isOnTime && counted.isMarketDay)
        var dateless = moment
        dateless.localDate.month = 13
        #expect(CountableVisit(.sample(moment: dateless)) == nil)
    }

    @Test func `counts ten thousand visits`() {
        let visits = (0..<10_000).map { Self.visit(.sample(place: UInt64($0 % 700), day: Int64($0 / 700))) }
        let statistics = VisitStatistics(of: visits)
        #expect((statistics.counted, statistics.places, statistics.level) == (10_000, 700, 10))
    }
}
