/// The offset θ of one phone clock against the server's: the smallest (receive time − reading) of the last 10 minutes.
///
/// A report can only be delayed, never early, so the least delayed one tells the offset (domain §5). Kept as a queue in
/// which both times and offsets rise: whatever is older *and* larger than a newer sample can never be the minimum again.
struct ClockOffset: Hashable, Sendable {
    /// How long a sample counts.
    static let memory = TimeSpan.minutes(10)
    /// A sample that much above θ cannot be delay, for silent connections are closed after 45 s.
    static let largestDelayMs = 60_000.0
    /// Samples nearer together than this share a place, which bounds the queue to 240.
    private static let spacing = TimeSpan.seconds(5)

    private struct Sample: Hashable, Sendable {
        var at: Instant
        var offsetMs: Double
    }

    private var samples: [Sample] = []

    /// θ in milliseconds at `now`: server time − phone's reading; nil when nothing was heard for 10 minutes.
    func current(at now: Instant) -> Double? {
        samples.first { now - $0.at <= ClockOffset.memory }?.offsetMs
    }

    /// Takes note of a reading that the phone made when it sent, received at `now`.
    ///
    /// - Returns: whether it shows that the clock was moved.
    mutating func observe(readingMs: Double, at now: Instant) -> Bool {
        if let first = samples.first, now - first.at > ClockOffset.memory {
            samples.removeFirst(samples.prefix { now - $0.at > ClockOffset.memory }.count)
        }
        let offset = Double(now.milliseconds) - readingMs
        var isMove = false
        if let smallest = samples.first?.offsetMs, offset > smallest + ClockOffset.largestDelayMs {
            isMove = true
            samples.removeAll()
        }
        while let last = samples.last, last.offsetMs >= offset { samples.removeLast() }
        if samples.count >= 2, now - samples[samples.count - 2].at < ClockOffset.spacing { samples.removeLast() }
        samples.append(Sample(at: now, offsetMs: offset))
        return isMove
    }
}
