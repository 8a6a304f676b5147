internal import PromisedProtocol
internal import PromisedStore
internal import PromisedWire

/// How much of a list still fits into the frame that brings it: a page ends early rather than exceed a frame.
struct FrameRoom {
    /// What everything around a list may need: the frame, the reply and its cursor.
    static let envelope = 2_048

    private let codec: WireCodec
    private var left: Int

    /// The room in an empty frame.
    ///
    /// - Parameter frameLimit: the largest frame that may be sent, in bytes.
    init(frameLimit: Int, for connection: Connection) {
        codec = connection.codec
        left = frameLimit - FrameRoom.envelope
    }

    /// Takes the room that a part needs, if there is as much. Once there was not, there is none for what follows either.
    ///
    /// - Returns: whether there was; what can't be encoded never fits.
    mutating func take(_ part: some WireMessage) -> Bool {
        do throws(WireError) {
            left -= try codec.size(ofListed: part)
        } catch {
            left = -1
        }
        return left >= 0
    }
}

extension FrameRoom {
    /// The first items of a page that fit, in their form on the wire, and where the next page begins.
    ///
    /// - Parameters:
    ///   - cursor: where the page after an item begins.
    ///   - wire: an item's form on the wire.
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
