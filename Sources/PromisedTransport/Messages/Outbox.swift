/// The queue of frames for one connection: first in, first out, bounded in bytes and frames.
///
/// Events are never dropped. A superseding payload drops those waiting in its slot whose lanes it covers, and goes to
/// the end. Nothing is dropped at the bound either: the connection is too slow and must be closed.
package struct Outbox {
    /// Whether a payload found room.
    package enum Outcome: Equatable, Sendable {
        /// It waits, and superseded this number of older ones.
        case queued(superseded: Int)
        /// It would pass the bound and was not taken.
        case overflow
    }

    /// A payload and the kind of its frame.
    package struct Frame: Sendable {
        /// The bytes.
        package let payload: Payload
        /// `true` for text, `false` for binary.
        package let isText: Bool

        /// A frame of that kind.
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

    /// The total of all outboxes of the thread.
    private let total: OutboxTotal

    /// How many bytes wait.
    package private(set) var byteCount = 0 { didSet { total.bytes += byteCount - oldValue } }

    /// An empty outbox for at most `frameLimit` payloads of together at most `byteLimit` bytes, which are counted in
    /// `total`, too.
    package init(byteLimit: Int, frameLimit: Int, total: OutboxTotal = OutboxTotal()) {
        self.byteLimit = byteLimit
        self.frameLimit = frameLimit
        self.total = total
    }

    /// How many payloads wait.
    package var frameCount: Int { entries.count - head }

    /// Whether nothing waits.
    package var isEmpty: Bool { head == entries.count }

    /// Whether a frame can be taken without dropping any.
    package func hasRoom(for frame: Frame) -> Bool {
        frameCount < frameLimit && byteCount + frame.payload.count <= byteLimit
    }

    /// Puts a frame at the end, dropping what it supersedes.
    package mutating func append(_ frame: Frame, as delivery: Delivery) -> Outcome {
        let superseded = dropSuperseded(by: delivery)
        guard hasRoom(for: frame) else { return .overflow }
        entries.append(Entry(frame: frame, delivery: delivery))
        byteCount += frame.payload.count
        return .queued(superseded: superseded)
    }

    /// The oldest frame, which stays; nil when nothing waits.
    package var first: Frame? { isEmpty ? nil : entries[head].frame }

    /// Takes the oldest frame; nil when nothing waits.
    package mutating func next() -> Frame? {
        guard head < entries.count else { return nil }
        let frame = entries[head].frame
        head += 1
        byteCount -= frame.payload.count
        if head == entries.count {
            // Most outboxes are empty: kept memory would add up over thousands.
            entries = []
            head = 0
        } else if head >= 32 {
            entries.removeFirst(head)
            head = 0
        }
        return frame
    }

    /// Forgets everything that waits.
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

/// How many bytes wait in all outboxes of one thread; confined to its loop. A payload that waits in several counts in
/// each, so the memory is no more than that.
package final class OutboxTotal {
    /// The bytes.
    package fileprivate(set) var bytes = 0

    /// A total of zero.
    package init() {}
}
