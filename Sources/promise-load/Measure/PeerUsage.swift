/// What the peer used while measured.
struct PeerUsage: Hashable, Sendable {
    /// The peer's memory at one moment.
    struct Memory: Hashable, Sendable, Codable {
        /// Since the measuring began.
        var second: Double
        var bytes: Int
    }

    /// When the measuring began; nil when nothing is known of the process.
    var first: ProcessSample?
    /// When it ended.
    var last: ProcessSample?
    /// Every ten seconds in between.
    var memory: [Memory] = []

    /// Processor seconds used; nil when they are not known.
    var cpuSeconds: Double? {
        guard let first, let last else { return nil }
        return last.cpuSeconds - first.cpuSeconds
    }

    /// How much the memory grew from the end of the third minute to the end; nil for a shorter run.
    var growthBytes: Int? {
        guard let last, let base = memory.first(where: { $0.second >= 180 }) else { return nil }
        return last.memoryBytes - base.bytes
    }
}
