public import PromisedDomain

/// Where a page of kept positions ended: they go by user, device, time and number.
public struct FixCursor: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Whose the last position shown was.
    public var userID: UserID
    /// The number of its device, from 1.
    public var device: Int
    /// Its time.
    public var time: Instant
    /// Its own number.
    public var seq: UInt32

    /// A cursor behind a position.
    public init(userID: UserID, device: Int, time: Instant, seq: UInt32) {
        self.userID = userID
        self.device = device
        self.time = time
        self.seq = seq
    }

    /// A cursor from its opaque text; nil for any other text.
    public init?(_ text: String) {
        guard let parts = CursorText(text), parts.kind == FixCursor.kind else { return nil }
        let numbers = parts.text.split(separator: " ", omittingEmptySubsequences: false)
        guard numbers.count == 2, let device = Int(numbers[0]), let seq = UInt32(numbers[1]) else { return nil }
        self.init(
            userID: UserID(high: parts.id.high, low: parts.id.low),
            device: device,
            time: Instant(milliseconds: parts.number),
            seq: seq
        )
    }

    /// The opaque text: letters, digits, `-` and `_`.
    public var description: String {
        CursorText(
            kind: FixCursor.kind,
            number: time.milliseconds,
            id: (userID.high, userID.low),
            text: "\(device) \(seq)"
        ).description
    }

    /// By user, device, time and number.
    public static func < (left: FixCursor, right: FixCursor) -> Bool {
        (left.userID, left.device, left.time, left.seq) < (right.userID, right.device, right.time, right.seq)
    }

    private static let kind = UInt8(ascii: "x")
}
