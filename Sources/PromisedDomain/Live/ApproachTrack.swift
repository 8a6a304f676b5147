/// The distances of the last two minutes, and how fast they shrink (domain §7).
struct ApproachTrack: Hashable, Sendable {
    /// Eight bytes, because each participant on the way has two dozen.
    private struct Sample: Hashable, Sendable {
        /// Milliseconds since ``ApproachTrack/origin``.
        var time: Int32
        /// Metres; at a thousand kilometres exact to 6 cm.
        var distance: Float
    }

    /// Older distances are dropped.
    static let memory = TimeSpan.seconds(120)
    /// A sample this much older than the newest counts 1/e of it.
    static let decay = TimeSpan.seconds(60)
    /// More samples than this in two minutes add no information; the oldest are dropped.
    static let sampleLimit = 48
    /// The number of samples with a report every 5 s, including one that is about to be dropped.
    private static let expectedCount = 26
    /// The largest span that the samples' times, counted from the first, can hold.
    private static let reach = TimeSpan.milliseconds(Int64(Int32.max))

    private var samples: [Sample] = []
    private var origin = Instant(milliseconds: 0)

    /// Metres per second towards the place: the slope of a straight line through the distances, fitted by least squares
    /// with weights e^(−age/60 s); negative when going away, nil with fewer than two instants. Computed once for each
    /// sample.
    private(set) var progressMps: Double?

    /// Adds the next distance. One that is not newer than the last starts the track over: another device has taken the
    /// lead.
    mutating func append(distanceMetres: Double, at time: Instant) {
        if !canFollow(at: time) {
            samples.removeAll(keepingCapacity: true)
            origin = time
        }
        if samples.count == samples.capacity {
            samples.reserveCapacity(max(ApproachTrack.expectedCount, samples.count + 6))
        }
        let sample = Sample(time: Int32((time - origin).milliseconds), distance: Float(distanceMetres))
        samples.append(sample)
        let horizon = sample.time - Int32(ApproachTrack.memory.milliseconds)
        let kept = samples.firstIndex { $0.time >= horizon } ?? 0
        samples.removeFirst(max(kept, samples.count - ApproachTrack.sampleLimit))
        progressMps = slope()
    }

    private func canFollow(at time: Instant) -> Bool {
        guard let last = samples.last else { return false }
        return time > origin + .milliseconds(Int64(last.time)) && time - origin <= ApproachTrack.reach
    }

    /// The slope of the line, with time and distance counted from the last sample so that the sums stay small.
    private func slope() -> Double? {
        guard let last = samples.last, samples.count >= 2 else { return nil }
        var sums = (weight: 0.0, time: 0.0, distance: 0.0, timeDistance: 0.0, timeTime: 0.0)
        for sample in samples {
            let time = Double(sample.time - last.time) / 1_000
            let distance = Double(sample.distance - last.distance)
            let weight = exponential(time / ApproachTrack.decay.seconds)
            sums.weight += weight
            sums.time += weight * time
            sums.distance += weight * distance
            sums.timeDistance += weight * time * distance
            sums.timeTime += weight * time * time
        }
        let variance = sums.timeTime - sums.time * sums.time / sums.weight
        return variance > 0 ? (sums.time * sums.distance / sums.weight - sums.timeDistance) / variance : nil
    }
}
