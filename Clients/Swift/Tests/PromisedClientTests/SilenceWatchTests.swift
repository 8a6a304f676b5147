import Testing

@testable import PromisedClient

@Suite struct SilenceWatchTests {
    /// An event at a second of a connection that begins at 100 s, with a silence of 40 s.
    enum Effect: Hashable, Sendable {
        case heard(Int)
        case next(Int, SilenceWatch.Step)
        case begins(Int)
    }

    @Test(
        arguments: [
            // Half of the silence passes, then there is a ping.
            [.next(100, .wait(until: .seconds(120))), .next(119, .wait(until: .seconds(120))), .next(120, .ping)],
            // No answer: the second half passes before the end.
            [
                .next(120, .ping), .next(120, .wait(until: .seconds(140))), .next(139, .wait(until: .seconds(140))),
                .next(140, .giveUp),
            ],
            // An answer, even at the last moment.
            [.next(120, .ping), .heard(139), .next(140, .wait(until: .seconds(159))), .next(159, .ping)],
            // Any traffic postpones the ping.
            [
                .heard(110), .next(120, .wait(until: .seconds(130))), .heard(130),
                .next(130, .wait(until: .seconds(150))),
            ],
            // A device that slept pings late, and waits for the answer from that time.
            [.next(3_700, .ping), .next(3_719, .wait(until: .seconds(3_720))), .next(3_720, .giveUp)],
            // The ping does not affect the next connection.
            [.next(120, .ping), .begins(130), .next(140, .wait(until: .seconds(150))), .next(150, .ping)],
        ] as [[Effect]]
    )
    func `pings a silent server after half the time, and disconnects after the other half`(_ effects: [Effect]) {
        var watch = SilenceWatch(silence: .seconds(40))
        watch.begin(at: .seconds(100))
        for effect in effects {
            switch effect {
            case .heard(let second): watch.heard(at: .seconds(second))
            case .begins(let second): watch.begin(at: .seconds(second))
            case .next(let second, let step): #expect(watch.next(at: .seconds(second)) == step, "at \(second) s")
            }
        }
    }
}
