import PromisedDomain
import PromisedTestSupport

/// One fix of a test's track.
struct Sight: Sendable {
    /// When, in seconds from the meeting time.
    var at: Double
    /// Metres from the place, due north.
    var metres: Double
    /// The reported accuracy in metres.
    var error: Double?
    /// The reported speed in metres per second.
    var speed: Double?
    /// How many seconds later the server received it.
    var delay: Double

    init(_ at: Double, _ metres: Double, error: Double? = 10, speed: Double? = nil, delay: Double = 0) {
        self.at = at
        self.metres = metres
        self.error = error
        self.speed = speed
        self.delay = delay
    }

    func fix(seq: Int) -> SettledFix {
        .sample(
            seq: UInt32(seq),
            at: .meeting + .seconds(at),
            metres: metres,
            accuracy: error,
            speed: speed,
            delay: .seconds(delay)
        )
    }
}

extension Sequence<Sight> {
    /// The fixes in the same order, numbered from 1.
    var fixes: [SettledFix] { enumerated().map { $1.fix(seq: $0 + 1) } }
}

extension Instant {
    /// The instant as seconds from the meeting time, as tables of tests write it.
    var secondsFromMeeting: Double { (self - .meeting).seconds }
}
