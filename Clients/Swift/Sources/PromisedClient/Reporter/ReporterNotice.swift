public import PromisedProtocol

/// What a reporter tells the app, to show it and to steer the phone's receiver.
public enum ReporterNotice: Hashable, Sendable {
    /// Whether fixes are of use now: with no, the receiver may rest.
    case wanted(Bool)
    /// The server said what became of fixes.
    case reported(WireReported)
    /// The server refused a report; so many fixes were given up for it, the others wait.
    case refused(WireErrorReply, givenUp: Int)
    /// The queue was full; so many of the oldest fixes went.
    case overflowed(Int)
    /// The queue could not be written to disk; it goes on in memory.
    case storageFailed(FixStoreError)
}
