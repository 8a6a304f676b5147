/// Names one connection of this process, in 64 bits: its service thread, its slot there and how often the slot was
/// used.
///
/// A reused slot gets a new generation, so an id kept after its connection has ended addresses nothing: frames sent to
/// it are discarded.
package struct ConnectionID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Thread in the top 8 bits, generation in the next 32, slot in the lowest 24.
    package let rawValue: UInt64

    /// How many slots a service thread can have.
    package static let slotLimit = 1 << 24

    /// An id from its parts; `slot` is below ``slotLimit``.
    package init(thread: UInt8, slot: Int, generation: UInt32) {
        precondition(slot >= 0 && slot < Self.slotLimit, "A slot number has 24 bits.")
        rawValue = UInt64(thread) << 56 | UInt64(generation) << 24 | UInt64(slot)
    }

    /// The id with this ``rawValue``.
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The service thread the connection lives on, counted from 0.
    package var thread: Int { Int(rawValue >> 56) }

    /// How often the slot was used before.
    package var generation: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 24) }

    /// The connection's place in the table of its thread.
    package var slot: Int { Int(rawValue & 0xFF_FFFF) }

    /// Thread, slot and generation, for logs: `0.17.3`.
    package var description: String { "\(thread).\(slot).\(generation)" }

    /// A total order without meaning.
    package static func < (left: ConnectionID, right: ConnectionID) -> Bool { left.rawValue < right.rawValue }
}
