/// What became of one transaction.
public struct CommitReport: Sendable, Hashable {
    /// How many writes shared it.
    public var writes: Int
    /// How long it took, from its begin until it was synced to the disk or had failed.
    public var duration: Duration
    /// Whether the store kept it; false when the disk, memory or the commit failed, which fails every write in it. A write
    /// that was refused for a reason of its own is no trouble of the store, alone in its transaction or not.
    public var isDurable: Bool
}
