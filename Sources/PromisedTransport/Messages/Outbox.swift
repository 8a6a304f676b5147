/// The queue of frames for one connection: first in, first out, bounded in bytes and frames.
///
/// Events are never dropped. A superseding payload drops queued ones in its slot whose lanes it covers, and is
/// appended. At the bound, nothing is dropped either: the connection is too slow and must be closed.
package struct Outbox {
    /// The outcome of adding a payload.
    package enum Outcome: Equatable, Sendable {
        /// The payload is queued, and superseded this number of older ones.
        case queued(superseded: Int)
        /// The payload would exceed the bound and was not queued.
        case overflow
    }

    /// A payload and the kind of its frame.
    package struct Frame: Sendable {
        package let payload: Payload
        /// `true` for text, `false` for binary.
        package let isText: Bool

        package init(_ payload: Payload, isText: Bool) {
            self.payload = payload
            self.isText = isText
        }
    }

    private struct Entry {
        let frame: Frame
        let delivery: Delivery
    }

    private var entries: [Entry] = []
    private var head = 0
    private let byteLimit: Int
    private let frameLimit: Int

    /// The shared total of all outboxes of the thread.
    private let total: OutboxTotal

    /// The number of queued bytes.
    package private(set) var byteCount = 0 { didSet { total.bytes += byteCount - oldValue } }

    /// An empty outbox for at most `frameLimit` payloads of at most `byteLimit` bytes in total, which are also counted
    /// in `total`.
    package init(byteLimit: Int, frameLimit: Int, total: OutboxTotal = OutboxTotal()) {
        self.byteLimit = byteLimit
        self.frameLimit = frameLimit
        self.total = total
    }

    /// The number of queued payloads.
    package var frameCount: Int { entries.count - head }

    /// `true` if no payload is queued.
    package var isEmpty: Bool { head == entries.count }

    /// `true` if a frame fits without dropping any.
    package func hasRoom(for frame: Frame) -> Bool {
        frameCount < frameLimit && byteCount + frame.payload.count <= byteLimit
    }

    /// Appends a frame, dropping those it supersedes.
    package mutating func append(_ frame: Frame, as delivery: Delivery) -> Outcome {
        let superseded = dropSuperseded(by: delivery)
        guard hasRoom(for: frame) else { return .overflow }
        entries.append(Entry(frame: frame, delivery: delivery))
        byteCount += frame.payload.count
        return .queued(superseded: superseded)
    }

    /// The oldest frame, without removing it; nil if the outbox is empty.
    package var first: Frame? { isEmpty ? nil : entries[head].frame }

    /// Removes and returns the oldest frame; nil if the outbox is empty.
    package mutating func next() -> Frame? {
        guard head < entries.count else { return nil }
        let frame = entries[head].frame
        head += 1
        byteCount -= frame.payload.count
        if head == entries.count {
            // Frees the memory, because most outboxes are empty and it would add up over thousands.
            entries = []
            head = 0
        } else if head >= 32 {
            entries.removeFirst(head)
            head = 0
        }
        return frame
    }

    /// Drops all queued frames.
    package mutating func removeAll() {
        entries = []
        head = 0
        byteCount = 0
    }

    private mutating func dropSuperseded(by delivery: Delivery) -> Int {
        guard case .superseding(let slot, let lanes) = delivery, !isEmpty else { return 0 }
        let before = entries.count
        var dropped = 0
        var kept: [Entry] = []
        for (index, entry) in entries.enumerated() where index >= head {
            guard case .superseding(slot, let older) = entry.delivery, older & ~lanes == 0 else {
                kept.append(entry)
                continue
            }
            dropped += entry.frame.payload.count
        }
        let superseded = before - head - kept.count
        guard superseded > 0 else { return 0 }
        entries = kept
        head = 0
        byteCount -= dropped
        return superseded
    }
}

/// The number of bytes queued in all outboxes of one thread; confined to its loop. A payload in several outboxes counts
/// in each, so this is an upper bound of the memory.
package final class OutboxTotal {
    package fileprivate(set) var bytes = 0

    package init() {}
}
