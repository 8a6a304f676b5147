/// How far a feed has come: an unbroken numbering of a promise's durable events, and the last one told.
public struct FeedMark: Hashable, Sendable {
    /// Names the numbering; never empty.
    public var epoch: String
    /// The last durable event told; 0 when none was.
    public var seq: UInt32

    /// A mark.
    public init(epoch: String, seq: UInt32) {
        self.epoch = epoch
        self.seq = seq
    }
}
