/// One connection as the client sees it; a seam for tests.
package protocol ClientLink: Sendable {
    /// What comes in, ending with `closed`.
    associatedtype Incoming: AsyncSequence<LinkEvent, Never> & Sendable
    /// What comes in.
    var incoming: Incoming { get }
    /// Queues a message.
    func send(_ bytes: [UInt8])
    /// Begins to close.
    func close(code: UInt16)
}

/// What comes in from a connection.
package enum LinkEvent: Hashable, Sendable {
    /// A message.
    case message([UInt8])
    /// The end, with its code (1006 when the connection broke).
    case closed(code: UInt16)
}

/// Makes connections; a seam for tests.
package protocol LinkMaker: Sendable {
    /// What it makes.
    associatedtype Link: ClientLink
    /// Connects.
    ///
    /// - Throws: whatever says why not; its description is shown.
    func open() async throws -> Link
    /// Ends all connections and waits for that.
    func shutDown() async
}
