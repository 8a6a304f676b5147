/// The division of the reporting interval into slots, chosen so that some dozens of sessions share each.
///
/// Handling many sessions in a row costs a server less than handling each after a sleep, so fewer sessions share fewer
/// slots (docs/performance.md). There are always enough to keep phones from reporting all at once.
///
/// The number of slots is a power of two: on the next finer grid half of the sessions keep their slots.
package struct ReportingGrid: Hashable, Sendable {
    /// The number of slots.
    package let slots: Int64

    /// The grid of a service thread with few sessions.
    package static let coarsest = ReportingGrid(slots: 4)
    /// The grid of a service thread with very many sessions.
    package static let finest = ReportingGrid(slots: 64)

    /// With more sessions per slot, a finer grid is chosen.
    private static let mostSharing: Int64 = 32
    /// With fewer sessions per slot, a coarser grid is chosen: less than half of the above, so that one session more or
    /// less does not make the grid oscillate.
    private static let fewestSharing: Int64 = 12

    /// The grid for a number of sessions on a service thread, starting from this one: this one while it suffices.
    package func fitting(_ sessions: Int) -> ReportingGrid {
        var slots = slots
        while slots < Self.finest.slots, Int64(sessions) > slots * Self.mostSharing { slots *= 2 }
        while slots > Self.coarsest.slots, Int64(sessions) < slots * Self.fewestSharing { slots /= 2 }
        return ReportingGrid(slots: slots)
    }
}
