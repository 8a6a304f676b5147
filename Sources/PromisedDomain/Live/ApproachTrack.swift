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

    /// The next distance; one that is not newer than the last starts the track over, for another device took the lead.
    mutating func append(distanceMetres: Double, at time: Instant) {
        if let last = samples.last, time <= last.time { samples.removeAll(keepingCapacity: true) }
        samples.append(Sample(time: time, distanceMetres: distanceMetres))
        let horizon = time - ApproachTrack.memory
        let kept = samples.firstIndex { $0.time >= horizon } ?? 0
        samples.removeFirst(max(kept, samples.count - ApproachTrack.sampleLimit))
    }

    /// Metres per second towards the place: the slope of a straight line through the distances, fitted by least squares
    /// with weights e^(−age/60 s); negative when going away, nil with fewer than two instants.
    var progressMps: Double? {
        guard let last = samples.last, samples.count >= 2 else { return nil }
        var sums = (weight: 0.0, time: 0.0, distance: 0.0)
        for sample in samples {
            let weight = ApproachTrack.weight(sample.time - last.time)
            sums.weight += weight
            sums.time += weight * (sample.time - last.time).seconds
            sums.distance += weight * sample.distanceMetres
        }
        let (meanTime, meanDistance) = (sums.time / sums.weight, sums.distance / sums.weight)
        var (covariance, variance) = (0.0, 0.0)
        for sample in samples {
            let weight = ApproachTrack.weight(sample.time - last.time)
            let offset = (sample.time - last.time).seconds - meanTime
            covariance += weight * offset * (sample.distanceMetres - meanDistance)
            variance += weight * offset * offset
        }
        return variance > 0 ? -covariance / variance : nil
    }

    private static func weight(_ age: TimeSpan) -> Double { exponential(age.seconds / decay.seconds) }
}
