public import PromisedDomain

/// Where a page of promises ended: the lists go by meeting time, then by id.
public struct PromiseCursor: Hashable, Sendable, CustomStringConvertible {
    /// The meeting time of the last promise shown.
    public var meetsAt: Instant
    /// The last promise shown.
    public var promiseID: PromiseID

    /// A cursor behind a promise.
    public init(meetsAt: Instant, promiseID: PromiseID) {
        self.meetsAt = meetsAt
        self.promiseID = promiseID
    }

    /// A cursor from its opaque text; nil for any other text.
    public init?(_ text: String) {
        guard let parts = CursorText(text), parts.kind == PromiseCursor.kind, parts.text.isEmpty else { return nil }
        self.init(
            meetsAt: Instant(milliseconds: parts.number),
            promiseID: PromiseID(high: parts.id.high, low: parts.id.low)
        )
    }

    /// The opaque text: letters, digits, `-` and `_`.
    public var description: String {
        CursorText(
            kind: PromiseCursor.kind,
            number: meetsAt.milliseconds,
            id: (promiseID.high, promiseID.low),
            text: ""
        ).description
    }

    private static let kind = UInt8(ascii: "p")
}
