public import PromisedProtocol

/// What a feed tells, with the mark to continue from once it is dealt with.
public enum FeedNotice: Hashable, Sendable {
    /// The promise as it is now: it takes the place of everything known of it. Comes first, and again when too much was
    /// missed to be told one by one.
    case snapshot(WirePromise, FeedMark)
    /// An event. The durable ones have the `seq` after the one before, or after the snapshot's mark; passing ones have
    /// none and leave the mark as it is.
    case event(WireEvent, FeedMark)

    /// The mark to continue from.
    public var mark: FeedMark {
        switch self {
        case .snapshot(_, let mark), .event(_, let mark): mark
        }
    }
}
