/// How finely the reporting interval is divided into slots: only so finely that some dozens of sessions share each.
///
/// Handling many sessions in a row costs a server less than handling each after a sleep, so fewer sessions share fewer
/// slots (docs/performance.md). There are never so few that all phones report at once.
///
/// The number of slots is a power of two: on the next finer grid half of the sessions keep their slots.
package struct ReportingGrid: Hashable, Sendable {
    /// How many slots there are.
    package let slots: Int64

    /// The grid of a service thread with few sessions.
    package static let coarsest = ReportingGrid(slots: 4)
    /// The grid of one with very many.
    package static let finest = ReportingGrid(slots: 64)

    /// How many sessions may share a slot before a finer grid is called for.
    private static let mostSharing: Int64 = 32
    /// With fewer than these to a slot a coarser one is: less than half of the above, so that one session more or less
    /// does not move all of them to and fro.
    private static let fewestSharing: Int64 = 12

    /// The grid that follows this one for a number of sessions on a service thread: this one while it suffices.
    package func fitting(_ sessions: Int) -> ReportingGrid {
        var slots = slots
        while slots < Self.finest.slots, Int64(sessions) > slots * Self.mostSharing { slots *= 2 }
        while slots > Self.coarsest.slots, Int64(sessions) < slots * Self.fewestSharing { slots /= 2 }
        return ReportingGrid(slots: slots)
    }
}
