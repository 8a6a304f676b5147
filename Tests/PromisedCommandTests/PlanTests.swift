import Foundation
import PromisedDomain
import PromisedSimulation
import PromisedTestSupport
import Testing

@testable import promised

@Suite("The plan of a replay")
struct PlanTests {
    private static let meetsAt = Instant(milliseconds: 1_575_034_800_000)
    private static let place = Coordinate(latitude: 51.2297, longitude: -1.33885)

    private func plan(_ tracks: [NamedTrack], stagger: TimeSpan = .zero) -> MeetupPlan {
        MeetupPlan(
            tracks: tracks,
            place: Self.place,
            radiusMetres: 100,
            meetsAt: Self.meetsAt,
            rule: .robust,
            stagger: stagger,
            reportEvery: .seconds(5)
        )
    }

    /// A point each `step` seconds from `start` seconds after the meeting time on.
    private func track(_ name: String, start: Int64, step: Int64 = 1, count: Int64 = 60) -> NamedTrack {
        NamedTrack(
            fileName: name,
            points: (0..<count).map { index in
                RidePoint(time: Self.meetsAt + .seconds(Double(start + index * step)), coordinate: Self.place)
            }
        )
    }

    @Test func `each report has the newest recorded fix, once`() {
        let reports = plan([track("a.gpx", start: 0)]).people[0].reports
        #expect(reports.map(\.at) == (0...12).map { Self.meetsAt + .seconds(Double($0 * 5)) })
        #expect(reports.map(\.fix.seq) == Array(1...13))
        #expect(zip(reports, reports.dropFirst()).allSatisfy { ($0.fix.wallMs ?? 0) < ($1.fix.wallMs ?? 0) })
        #expect(reports.allSatisfy { ($0.fix.wallMs ?? 0) <= Double($0.at.milliseconds) })
    }

    @Test func `sends no report between the fixes of a sparse track`() {
        let reports = plan([track("a.gpx", start: 0, step: 12, count: 4)]).people[0].reports
        #expect(reports.count == 4)
    }

    @Test func `omits fixes outside the window`() {
        let early = plan([track("a.gpx", start: -1_830)]).people[0].reports
        #expect(early.first?.at == Self.meetsAt - .minutes(30))
        let late = plan([track("a.gpx", start: 10_790)]).people[0].reports
        #expect(late.allSatisfy { ($0.fix.wallMs ?? 0) < Double((Self.meetsAt + .hours(3)).milliseconds) })
    }

    @Test func `counts and prints omitted fixes`() {
        let plan = plan([track("a.gpx", start: -1_830), track("b.gpx", start: 0), track("c.gpx", start: 10_790)])
        #expect(plan.people.map(\.leftOut) == [30, 0, 50])
        #expect(ReplayCommand.summary(of: plan).hasSuffix("reports, 80 fixes outside the window omitted"))
        let whole = self.plan([track("b.gpx", start: 0)])
        #expect(ReplayCommand.summary(of: whole) == "1 track, 13 reports")
    }

    @Test func `counts points without a time, and gives the reason for a phone without reports`() {
        var partly = track("a.gpx", start: 0)
        partly.undatedCount = 7
        let plan = plan([
            partly, NamedTrack(fileName: "b.gpx", points: [], undatedCount: 3),
            NamedTrack(fileName: "c.gpx", points: [], invalid: (2, "2 points have no position"), waypointCount: 1),
            NamedTrack(fileName: "d.gpx", points: [], waypointCount: 4), NamedTrack(fileName: "e.gpx", points: []),
            track("f.gpx", start: 10_800, count: 2),
        ])
        #expect(
            plan.people.map(\.silence) == [
                nil, "b.gpx: none of its 3 points has a time", "c.gpx: 2 points have no position",
                "d.gpx: it has way-points (4), but no track", "e.gpx: it has no points",
                "f.gpx: all points (2019-11-29T16:40:00Z to 2019-11-29T16:40:01Z) lie outside the window of the meeting "
                    + "(2019-11-29T13:10:00Z to 2019-11-29T16:40:00Z); check --meets-at",
            ]
        )
        #expect(ReplayCommand.summary(of: plan).hasSuffix("omitted, 10 points without a time omitted"))
        #expect(plan.people.map(\.omission) == [nil, nil, "c.gpx: 2 points have no position", nil, nil, nil])
    }

    @Test func `shifts the n-th track by n times the stagger`() {
        let people = plan([track("a.gpx", start: 0), track("b.gpx", start: 0)], stagger: .seconds(60)).people
        #expect(people.map(\.nickname).count == Set(people.map(\.nickname)).count)
        #expect(people[1].reports[0].at - people[0].reports[0].at == .seconds(60))
        #expect((people[1].reports[0].fix.wallMs ?? 0) - (people[0].reports[0].fix.wallMs ?? 0) == 60_000)
    }

    @Test func `a folder without tracks is an error with a sentence`() {
        #expect(throws: TrackError.self) { try NamedTrack.all(in: "/nonexistent") }
        #expect(throws: TrackError(description: "There is no GPX file in \(NSTemporaryDirectory())empty")) {
            let empty = NSTemporaryDirectory() + "empty"
            try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: empty) }
            _ = try NamedTrack.all(in: empty)
        }
    }
}

@Suite("The cast of the demo")
struct DemoCastTests {
    private static let meetsAt = Instant(milliseconds: 1_795_251_600_000)

    @Test func `equal seeds give equal stories`() {
        var one = DemoCast(meetsAt: Self.meetsAt)
        var other = DemoCast(meetsAt: Self.meetsAt)
        #expect(one.plan(participants: 8) == other.plan(participants: 8))
    }

    private static let story: [Outcome?] = [.early, .onTime, .late, nil, .early, .early]

    @Test func `the rule produces the intended story`() {
        var cast = DemoCast(meetsAt: Self.meetsAt)
        let plan = cast.plan(participants: 20)
        let outcomes = plan.people.map { outcome(of: $0, in: plan) }
        #expect(outcomes == Self.story + Array(repeating: .early, count: 14))
        // The order in which the parts appear.
        let credited = plan.people.prefix(6).enumerated().compactMap { index, person in
            arrival(of: person, in: plan).map { (index, $0.creditedAt) }
        }
        #expect(credited.sorted { $0.1 < $1.1 }.map(\.0) == [0, 5, 4, 1, 2])
    }

    @Test func `phones with measured errors produce it with nearly every seed`() {
        let stories = (UInt64(1)...30).map { seed in
            var cast = DemoCast(meetsAt: Self.meetsAt, seed: seed)
            let plan = cast.plan(participants: 6)
            return plan.people.map { outcome(of: $0, in: plan) }
        }
        #expect(stories.count { $0 == Self.story } >= 27)
        #expect(stories.allSatisfy { $0[0] == .early && $0[2] == .late && $0[3] == nil })
        // Their accuracies are those of real phones: the steps of an iPhone, and none of those of a good receiver.
        var cast = DemoCast(meetsAt: Self.meetsAt)
        let claims = cast.plan(participants: 6).people[0].reports.map { $0.fix.accuracyMetres ?? 0 }
        #expect(Set(claims).isSubset(of: [5, 10, 30, 65]) && Set(claims).count > 1)
    }

    @Test func `has the requested number of participants with unique names`() {
        var cast = DemoCast(meetsAt: Self.meetsAt)
        let plan = cast.plan(participants: 20)
        #expect(Set(plan.people.map(\.nickname)).count == 20)
    }

    /// The arrival rule's outcome for only the fixes of a phone; nil without an arrival.
    private func outcome(of person: MeetupPlan.Person, in plan: MeetupPlan) -> Outcome? {
        arrival(of: person, in: plan).map {
            Outcome(creditedAt: $0.creditedAt, meetsAt: plan.meetsAt, grace: .seconds(60))
        }
    }

    private func arrival(of person: MeetupPlan.Person, in plan: MeetupPlan) -> ArrivalDetector.Detection? {
        let criteria = ArrivalCriteria(
            centre: plan.place.coordinate,
            radiusMetres: Double(plan.radiusMetres),
            rule: .robust,
            opensAt: plan.opensAt
        )
        var track = DeviceTrack(criteria: criteria)
        for report in person.reports {
            _ = track.insert([
                SettledFix(
                    seq: report.fix.seq,
                    coordinate: report.fix.coordinate,
                    accuracyMetres: report.fix.accuracyMetres,
                    speedMps: report.fix.speedMps,
                    time: report.at,
                    receivedAt: report.at
                )
            ])
        }
        return track.arrival(at: plan.settlesAt)
    }
}
