import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// Domain §6.9: the reason for a missing arrival. R = 50 m, so errors above 70 m are too large.
@Suite struct NoArrivalTests {
    private static let phone = DeviceKey(deviceID: "phone")
    private static let watch = DeviceKey(deviceID: "watch")
    private static let promise = Promise.sample()

    private static func why(
        _ sights: [Sight],
        watch others: [Sight] = [],
        refused: [RefusedFix] = [],
        at second: Double = 3_000
    ) -> NoArrival {
        let fixes =
            sights.fixes.map { ArchivedFix(userID: .user(2), device: phone, fix: $0) }
            + others.fixes.map { ArchivedFix(userID: .user(2), device: watch, fix: $0) }
        let tracks = ExplainedTrack.judge(fixes, of: promise)
        return NoArrival(tracks, refused: refused, of: promise, at: .meeting + .seconds(second))
    }

    struct Row: CustomTestStringConvertible, Sendable {
        var name: String
        var sights: [Sight]
        var reason: NoArrival.Reason
        /// Accepted, inside, outside, unusable, unusable inside.
        var counts: [Int]
        /// From the first to the last fix of the longest run, in seconds.
        var inside: Double?
        var nearest: Double?
        var leastError: Double?
        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(name: "nothing", sights: [], reason: .noPosition, counts: [0, 0, 0, 0, 0]),
        Row(
            name: "too inaccurate",
            sights: [Sight(0, 10, error: 90), Sight(5, 12, error: 80), Sight(10, 11, error: 70.001)],
            reason: .tooInaccurate,
            counts: [3, 0, 0, 3, 3],
            leastError: 70.001
        ),
        Row(
            name: "inaccurate inside, better outside",
            sights: [Sight(0, 80), Sight(5, 12, error: 80), Sight(10, 400, error: 500), Sight(15, 51)],
            reason: .tooInaccurate,
            counts: [4, 0, 2, 2, 1],
            nearest: 51,
            leastError: 80
        ),
        Row(
            name: "outside",
            sights: [Sight(0, 80), Sight(5, 62), Sight(10, 90)],
            reason: .outside,
            counts: [3, 0, 3, 0, 0],
            nearest: 62
        ),
        Row(
            name: "outside, by cell tower alone",
            sights: [Sight(0, 800, error: 900)],
            reason: .outside,
            counts: [1, 0, 0, 1, 0]
        ),
        Row(
            name: "one fix inside",
            sights: [Sight(0, 80, speed: 9), Sight(5, 20, speed: 9), Sight(10, 80, speed: 9)],
            reason: .tooShort,
            counts: [3, 1, 2, 0, 0],
            inside: 0,
            nearest: 20
        ),
        Row(
            name: "the longest of two runs",
            sights: [
                Sight(0, 40, speed: 9), Sight(5, 40, speed: 9), Sight(10, 55, speed: 9), Sight(14, 40, speed: 9),
                Sight(20, 70, speed: 9), Sight(25, 40, speed: 9), Sight(30, 90, speed: 9),
            ],
            reason: .tooShort,
            counts: [7, 4, 3, 0, 0],
            inside: 14,
            nearest: 40
        ),
        Row(
            name: "passed",
            sights: [
                Sight(0, 40, speed: 1), Sight(5, 30, speed: 1), Sight(10, 90, speed: 1), Sight(15, 100, speed: 1),
            ],
            reason: .passed,
            counts: [4, 2, 2, 0, 0],
            inside: 5,
            nearest: 30
        ),
        Row(
            name: "held",
            sights: [Sight(0, 40, speed: 1), Sight(5, 30, speed: 1), Sight(10, 70, speed: 1)],
            reason: .passed,
            counts: [3, 2, 1, 0, 0],
            inside: 5,
            nearest: 30
        ),
    ]

    @Test(.proves("6.19"), arguments: rows)
    func `gives the first true reason with its numbers`(_ row: Row) {
        let why = Self.why(row.sights)
        let counts = why.counts
        #expect(why.reason == row.reason)
        let found = [counts.accepted, counts.inside, counts.outside, counts.unusable, counts.unusableInside]
        #expect(found == row.counts)
        #expect(why.inside?.seconds == row.inside)
        #expect(why.nearest.map { ($0.distanceMetres * 1_000).rounded() / 1_000 } == row.nearest)
        #expect(why.leastErrorMetres == row.leastError)
        #expect(why.lastAt == row.sights.last.map { .meeting + .seconds($0.at) })
        #expect([why.radiusMetres, why.limitMetres] == [50, 70])
    }

    @Test(.proves("6.19")) func `gives a retracted arrival with its time and cause`() {
        let passed = Self.why(Self.rows[7].sights).retraction
        #expect(passed?.cause == .passed)
        #expect(passed?.creditedAt == .meeting)
        #expect(passed?.at == .meeting + .seconds(15))
        let held = Self.why(Self.rows[8].sights).retraction
        #expect(held?.cause == .held)
        #expect(held?.at == .meeting + .seconds(305))
        // Of two, the last.
        let again =
            Self.rows[7].sights + [
                Sight(100, 10, speed: 1), Sight(105, 10, speed: 1), Sight(110, 90, speed: 1), Sight(115, 100, speed: 1),
            ]
        #expect(Self.why(again).retraction?.at == .meeting + .seconds(115))
    }

    @Test(.proves("6.19")) func `takes the numbers from the closest device`() {
        let (far, near) = (Self.rows[3].sights, Self.rows[5].sights)
        #expect(Self.why(far, watch: near).device == Self.watch)
        #expect(Self.why(near, watch: far).device == Self.phone)
        #expect(Self.why(near, watch: Self.rows[7].sights).reason == .passed)
        // Of two that stayed outside, the nearer.
        #expect(Self.why(far, watch: [Sight(0, 61)]).device == Self.watch)
        #expect(Self.why(far, watch: [Sight(0, 63)]).device == Self.phone)
        #expect(Self.why([], watch: far).device == Self.watch)
    }

    @Test(.proves("6.19")) func `counts the ignored fixes`() {
        let sights = [
            Sight(0, 400), Sight(3, 390, delay: 60), Sight(6, 380), Sight(10, 9_000), Sight(15, 370), Sight(20, 360),
        ]
        let refused = [Refusal.positionInvalid, .positionInFuture, .positionInvalid].enumerated().map { index, reason in
            RefusedFix(device: Self.phone, seq: UInt32(90 + index), receivedAt: .meeting, reason: reason)
        }
        let why = Self.why(sights, refused: refused)
        #expect([why.counts.covered, why.counts.dropped, why.counts.accepted] == [1, 1, 4])
        #expect(why.refused == refused.map(\.reason))
        // Without other reasons, the rejected ones alone.
        let alone = Self.why([], refused: refused)
        #expect(alone.reason == .noPosition)
        #expect(alone.device == Self.phone)
        #expect(alone.refused.count == 3)
    }

    @Test(.proves("6.19")) func `a held arrival has its start and distance until it is decided`() {
        let fixes = (Self.rows[8].sights + [Sight(15, 75)]).fixes.map {
            ArchivedFix(userID: .user(2), device: Self.phone, fix: $0)
        }
        let track = ExplainedTrack.judge(fixes, of: Self.promise)[0]
        let waiting = track.hold(at: .meeting + .seconds(304))
        #expect(waiting?.hold.since == .meeting + .seconds(10))
        #expect(waiting.map { $0.hold.last.distanceMetres.rounded() } == 75)
        #expect(waiting?.decidedAt == .meeting + .seconds(305))
        #expect(track.hold(at: .meeting + .seconds(305)) == nil)
    }
}
