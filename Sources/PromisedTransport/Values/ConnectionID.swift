/// Identifies one connection of this process, in 64 bits: its service thread, its slot there and how often the slot was
/// used.
///
/// A reused slot gets a new generation, so the id of an ended connection is never valid again: frames sent to it are
/// discarded.
package struct ConnectionID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Thread in the top 8 bits, generation in the next 32, slot in the lowest 24.
    package let rawValue: UInt64

    /// How many slots a service thread has.
    package static let slotLimit = 1 << 24

    /// `slot` is below ``slotLimit``.
    package init(thread: UInt8, slot: Int, generation: UInt32) {
        precondition(slot >= 0 && slot < Self.slotLimit, "A slot number has 24 bits.")
        rawValue = UInt64(thread) << 56 | UInt64(generation) << 24 | UInt64(slot)
    }

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The index of the connection's service thread.
    package var thread: Int { Int(rawValue >> 56) }

    /// How often the slot was used before.
    package var generation: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 24) }

    /// The connection's index in the table of its thread.
    package var slot: Int { Int(rawValue & 0xFF_FFFF) }

    /// Thread, slot and generation, for logs: `0.17.3`.
    package var description: String { "\(thread).\(slot).\(generation)" }

    /// An arbitrary total order.
    package static func < (left: ConnectionID, right: ConnectionID) -> Bool { left.rawValue < right.rawValue }
}
