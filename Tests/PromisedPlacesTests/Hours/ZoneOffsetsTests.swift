import PromisedDomain
import PromisedPlaces
import PromisedTestSupport
import Testing

@Suite struct ZoneOffsetsTests {
    /// An hour ahead, two hours from second 1,000,000 to 2,000,000.
    private static let zone = ZoneOffsets(
        offsetSeconds: 3_600,
        transitions: [
            .init(at: Instant(milliseconds: 1_000_000_000), offsetSeconds: 7_200),
            .init(at: Instant(milliseconds: 2_000_000_000), offsetSeconds: 3_600),
        ]
    )

    @Test(arguments: [
        (Int64.min / 2, 3_600), (999_999_999, 3_600), (1_000_000_000, 7_200), (1_999_999_999, 7_200),
        (2_000_000_000, 3_600), (Int64.max / 2, 3_600),
    ])
    func `a transition applies from its instant on`(milliseconds: Int64, offset: Int) {
        #expect(Self.zone.offsetSeconds(at: Instant(milliseconds: milliseconds)) == offset)
        #expect(ZoneOffsets.utc.offsetSeconds(at: Instant(milliseconds: milliseconds)) == 0)
    }

    @Test(
        arguments: [
            (999_999_999, 1_000_000_000), (1_000_000_000, 2_000_000_000), (1_999_999_999, 2_000_000_000),
            (2_000_000_000, nil),
        ] as [(Int64, Int64?)]
    )
    func `the next transition is after the instant`(milliseconds: Int64, next: Int64?) {
        let found = Self.zone.nextTransition(after: Instant(milliseconds: milliseconds))
        #expect(found == next.map(Instant.init(milliseconds:)))
    }

    @Test(
        arguments: [
            // Before, in and after the gap of an hour.
            (1_003_599_999, 999_999_999), (1_003_600_000, 1_000_000_000), (1_005_000_000, 1_000_000_000),
            (1_007_199_999, 1_000_000_000), (1_007_200_000, 1_000_000_000), (1_007_200_001, 1_000_000_001),
            // Before, in and after the hour that occurs twice.
            (2_003_599_999, 1_996_399_999), (2_003_600_000, 1_996_400_000), (2_007_199_999, 1_999_999_999),
            (2_007_200_000, 2_003_600_000),
        ] as [(Int64, Int64)]
    )
    func `a local time is its first occurrence or the end of the gap`(local: Int64, instant: Int64) {
        #expect(Self.zone.instant(ofLocalMilliseconds: local) == Instant(milliseconds: instant))
    }

    @Test(arguments: [
        ("2026-03-29 01:59", "2026-03-29T00:59:00Z"), ("2026-03-29 02:00", "2026-03-29T01:00:00Z"),
        ("2026-03-29 02:30", "2026-03-29T01:00:00Z"), ("2026-03-29 03:00", "2026-03-29T01:00:00Z"),
        ("2026-10-25 01:59", "2026-10-24T23:59:00Z"), ("2026-10-25 02:30", "2026-10-25T00:30:00Z"),
        ("2026-10-25 03:00", "2026-10-25T02:00:00Z"), ("2027-01-01 00:00", "2026-12-31T23:00:00Z"),
    ])
    func `reads the transitions of a system zone`(local: String, instant: String) throws {
        #expect(ZoneOffsets.berlin.instant(local) == (try #require(Instant(rfc3339: instant))))
    }

    @Test func `the first instant of each local minute agrees with a scan`() {
        for zone in [Self.zone, .berlin, .adelaide] {
            for start in [Int64(990_000_000), 1_990_000_000, 1_774_720_800_000, 1_792_864_800_000, 1_775_314_800_000] {
                let instants = (0..<400).map { Instant(milliseconds: start + $0 * 60_000) }
                let clocks = instants.map { zone.localMilliseconds(at: $0) }
                // The scan must know the clock before the time in question.
                for local in stride(from: clocks[0] + 1, through: clocks.max() ?? 0, by: 600_000) {
                    let first = zip(instants, clocks).first { $1 >= local }?.0
                    let found = zone.instant(ofLocalMilliseconds: local)
                    #expect(first.map { found <= $0 && $0 - found < .minutes(1) } == true, "\(local)")
                }
            }
        }
    }

    #if os(Linux) || os(macOS)
    @Test func `rejects transitions out of order`() async {
        await #expect(processExitsWith: .failure) {
            let at = Instant(milliseconds: 0)
            _ = ZoneOffsets(
                offsetSeconds: 0,
                transitions: [.init(at: at, offsetSeconds: 60), .init(at: at, offsetSeconds: 0)]
            )
        }
    }
    #endif
}
