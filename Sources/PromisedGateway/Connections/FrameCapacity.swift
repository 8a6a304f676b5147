internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedWire

/// The remaining space for a list in its frame: a page that would exceed a frame ends early.
struct FrameCapacity {
    /// The space for everything around a list: the frame, the reply and its cursor.
    static let envelope = 2_048

    private let codec: WireCodec
    private var left: Int

    /// The space in an empty frame.
    init(_ frame: FrameFormat) {
        codec = frame.codec
        left = frame.limit - FrameCapacity.envelope
    }

    /// Reserves the space for a part, if it fits. After the first part that does not fit, rejects all others.
    ///
    /// - Returns: `true` if it fits; `false` also for a part that can't be encoded.
    mutating func take(_ part: some WireMessage) -> Bool {
        do throws(WireError) {
            left -= try codec.size(ofListed: part)
        } catch {
            left = -1
        }
        return left >= 0
    }

    /// `true` if a part would fit; reserves nothing.
    func holds(_ part: some WireMessage) -> Bool {
        var capacity = self
        return capacity.take(part)
    }
}

extension FrameCapacity {
    /// The reply that `ask` creates from at most `limit` items; halves the number until it fits.
    ///
    /// A single item always fits: the limits of its fields keep it below any frame size.
    func page<Reply: WireMessage>(
        of limit: Int,
        _ ask: (Int) async throws -> Reply
    ) async throws -> Reply {
        var limit = limit
        while true {
            let reply = try await ask(limit)
            if limit <= 1 || holds(reply) { return reply }
            limit /= 2
        }
    }

    /// The first items of a page that fit, in their wire form, and the start of the next page.
    ///
    /// - Parameters:
    ///   - cursor: the cursor of the page after an item.
    ///   - wire: an item's wire form.
    /// - Returns: nil for the cursor when all items fit and none follow.
    mutating func fill<Item, Part: WireMessage, Cursor>(
        with page: Page<Item, Cursor>,
        cursor: (Item) -> Cursor,
        _ wire: (Item) -> Part
    ) -> (parts: [Part], next: Cursor?) {
        var parts: [Part] = []
        for item in page.items {
            let part = wire(item)
            guard take(part) else { return (parts, page.items[..<parts.count].last.map(cursor)) }
            parts.append(part)
        }
        return (parts, page.next)
    }
}
