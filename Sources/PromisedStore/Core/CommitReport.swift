/// What became of one transaction.
public struct CommitReport: Sendable, Hashable {
    /// How many writes shared it.
    public var writes: Int
    /// How long it took, from its begin until it was synced to the disk or had failed.
    public var duration: Duration
    /// Whether it was committed; single writes in it may have failed nevertheless.
    public var isDurable: Bool
}
