/// When to ping a server that is silent, and when to give its connection up.
///
/// The first half of the silence passes without a ping, the second waits for the answer.
struct SilenceWatch: Sendable {
    /// What to do next.
    enum Step: Hashable, Sendable {
        case wait(until: Duration)
        case ping
        /// Close the connection.
        case giveUp
    }

    private let half: Duration
    /// When something came in last over the present connection.
    private(set) var heardAt = Duration.zero
    /// When the last ping was sent, and when the server had been heard before that.
    private var ping: (sentAt: Duration, heardBefore: Duration)?

    /// - Parameter silence: how long the server may send nothing.
    init(silence: Duration) {
        half = silence / 2
    }

    /// A connection begins.
    mutating func begin(at now: Duration) {
        heardAt = now
        ping = nil
    }

    /// Something came in.
    mutating func heard(at now: Duration) { heardAt = now }

    /// The next step, which the caller takes at once.
    mutating func next(at now: Duration) -> Step {
        if let ping, ping.heardBefore == heardAt {
            return now >= ping.sentAt + half ? .giveUp : .wait(until: ping.sentAt + half)
        }
        guard now >= heardAt + half else { return .wait(until: heardAt + half) }
        ping = (now, heardAt)
        return .ping
    }
}
