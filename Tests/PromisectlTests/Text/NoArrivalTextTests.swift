import PromisedProtocol
import SwiftProtobuf
import Testing

@testable import promisectl

/// The sentences about a participant without an arrival, or with a held one.
@Suite struct NoArrivalTextTests {
    /// 2026-11-21, some seconds after 18:52:00Z.
    private static func at(_ seconds: Int64) -> WireTimestamp {
        WireTimestamp(seconds: 1_795_287_120 + seconds)
    }

    private static func sentences(_ fill: (inout WireNoArrival) -> Void) -> [String] {
        var why = WireNoArrival()
        (why.radiusMetres, why.limitMetres) = (50, 70)
        fill(&why)
        return NoArrivalText.sentences(why, name: "min")
    }

    @Test func `each reason is a sentence with its numbers`() {
        #expect(Self.sentences { $0.reason = .noPosition } == ["min sent no position that counts."])
        let inaccurate = Self.sentences {
            ($0.reason, $0.unusableInside, $0.leastErrorMetres) = (.tooInaccurate, 38, 82)
            $0.lastAt = Self.at(0)
        }
        #expect(
            inaccurate == [
                "The phone of min was near the place 38 times, but knew its position to 82 m at best; "
                    + "a circle of 50 m needs 70 m or better.",
                "The last position is of 2026-11-21 18:52:00Z.",
            ]
        )
        let outside = Self.sentences {
            ($0.reason, $0.nearestMetres, $0.nearestAt) = (.outside, 62, Self.at(10))
        }
        #expect(outside == ["min was 62 m away at the closest, at 18:52:10; the circle ends at 50 m."])
        let short = Self.sentences { ($0.reason, $0.insideMs) = (.tooShort, 40_000) }
        #expect(short == ["min was inside for 40 s, too short or too fast to count."])
        let moment = Self.sentences { ($0.reason, $0.insideMs) = (.tooShort, 0) }
        #expect(moment == ["min was inside at one position, too short or too fast to count."])
        let never = Self.sentences { $0.reason = .outside }
        #expect(never == ["The phone of min never knew its position to 70 m, and was never near."])
    }

    @Test func `a retraction has its reason`() {
        for (cause, words) in [
            (WireRetractionCause.Value.passed, ", and then well outside: passed by; "),
            (.held, ", but was still outside five minutes later; "),
        ] {
            let why = Self.sentences {
                $0.reason = .passed
                $0.retraction = .with { ($0.creditedAt, $0.at, $0.cause) = (Self.at(0), Self.at(90), cause) }
            }
            let begin = "min was seen inside from 2026-11-21 18:52:00Z"
            #expect(why == [begin + words + "the arrival was retracted at 18:53:30."])
        }
    }

    @Test func `lists the ignored fixes`() {
        let why = Self.sentences {
            ($0.reason, $0.covered, $0.dropped) = (.noPosition, 2, 1)
            $0.refused = [.with { ($0.code, $0.count) = ("position.mock", 3) }]
        }
        #expect(
            why.dropFirst() == [
                "2 positions that arrived late did not count, because others of the same time had arrived.",
                "1 position jumped too far to be believed.", "3 positions rejected: position.mock.",
            ]
        )
    }

    @Test func `a held arrival has its distance`() {
        let hold = WireArrivalHold.with {
            ($0.since, $0.lastAt, $0.decidedAt) = (Self.at(10), Self.at(20), Self.at(300))
            $0.distanceMetres = 55
        }
        #expect(
            NoArrivalText.waiting(hold)
                == "last seen 55 m away at 18:52:20, outside since 18:52:10; decided at 18:57:00 at the latest"
        )
    }
}
