/// The distances of the last two minutes, and how fast they shrink (domain §7).
struct ApproachTrack: Hashable, Sendable {
    private struct Sample: Hashable, Sendable {
        var time: Instant
        var distanceMetres: Double
    }

    /// Older distances are forgotten.
    static let memory = TimeSpan.seconds(120)
    /// A sample this much older than the newest counts 1/e of it.
    static let decay = TimeSpan.seconds(60)
    /// More samples than this in two minutes tell nothing more; the oldest go.
    static let sampleLimit = 48

    private var samples: [Sample] = []

    /// Metres per second towards the place: the slope of a straight line through the distances, fitted by least squares
    /// with weights e^(−age/60 s); negative when going away, nil with fewer than two instants. Found once for each sample.
    private(set) var progressMps: Double?

    /// The next distance; one that is not newer than the last starts the track over, for another device took the lead.
    mutating func append(distanceMetres: Double, at time: Instant) {
        if let last = samples.last, time <= last.time { samples.removeAll(keepingCapacity: true) }
        if samples.count == samples.capacity { samples.reserveCapacity(samples.count + 6) }
        samples.append(Sample(time: time, distanceMetres: distanceMetres))
        let horizon = time - ApproachTrack.memory
        let kept = samples.firstIndex { $0.time >= horizon } ?? 0
        samples.removeFirst(max(kept, samples.count - ApproachTrack.sampleLimit))
        progressMps = slope()
    }

    /// The slope of the line, with time and distance counted from the last sample so that the sums stay small.
    private func slope() -> Double? {
        guard let last = samples.last, samples.count >= 2 else { return nil }
        var sums = (weight: 0.0, time: 0.0, distance: 0.0, timeDistance: 0.0, timeTime: 0.0)
        for sample in samples {
            let age = sample.time - last.time
            let weight = ApproachTrack.weight(age)
            let (time, distance) = (age.seconds, sample.distanceMetres - last.distanceMetres)
            sums.weight += weight
            sums.time += weight * time
            sums.distance += weight * distance
            sums.timeDistance += weight * time * distance
            sums.timeTime += weight * time * time
        }
        let variance = sums.timeTime - sums.time * sums.time / sums.weight
        return variance > 0 ? (sums.time * sums.distance / sums.weight - sums.timeDistance) / variance : nil
    }

    private static func weight(_ age: TimeSpan) -> Double { exponential(age.seconds / decay.seconds) }
}
