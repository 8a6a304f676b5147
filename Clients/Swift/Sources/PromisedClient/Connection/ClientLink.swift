/// One connection, as the client sees it.
public protocol ClientLink: Sendable {
    /// What comes in, in order, ending with ``LinkEvent/closed(code:)``.
    associatedtype Incoming: AsyncSequence<LinkEvent, Never> & Sendable

    /// What comes in; read by one task.
    var incoming: Incoming { get }

    /// Queues a message; returns at once. Discarded when the connection has ended.
    func send(_ bytes: [UInt8])

    /// Begins to close. ``incoming`` ends with ``LinkEvent/closed(code:)`` after that, with this code unless the server
    /// closed first.
    func close(code: UInt16)

    /// `true` if the transport itself pings a silent server and closes the connection after ``LinkRequest/silence``; by
    /// default. With `false` the client does both, by ``ping()`` and ``close(code:)``.
    var watchesSilence: Bool { get }

    /// Sends a ping, whose answer comes as ``LinkEvent/pong``. Called only if ``watchesSilence`` is `false`.
    func ping()
}

extension ClientLink {
    /// The transport pings by itself.
    public var watchesSilence: Bool { true }

    /// Does nothing: the transport pings by itself.
    public func ping() {}
}

/// What comes in over a connection.
public enum LinkEvent: Hashable, Sendable {
    /// A message.
    case message([UInt8])
    /// The answer to a ``ClientLink/ping()``.
    case pong
    /// The end, with its code; 1006 if the connection broke.
    case closed(code: UInt16)
}
