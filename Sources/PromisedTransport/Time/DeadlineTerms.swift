/// How long a connection may take for what, in whole milliseconds of its loop: what ``ConnectionTiming`` says, worked out
/// once for all connections. A duration is a number of 128 bits, too long to be taken apart at each look.
package struct DeadlineTerms: Sendable {
    /// From the connection to the end of the handshake.
    let handshake: Int64
    /// From the handshake to the admission; nil for none.
    let admission: Int64?
    /// Between two pings; nil where only a silent peer is pinged.
    let ping: Int64?
    /// From the last that was heard of the peer until it is pinged, where pings do not come anyway; nil for never.
    let inquiry: Int64?
    /// From a ping until the next one may go along with something else: three quarters of the time between two. Nil for
    /// never.
    let earlyPing: Int64?
    /// After which a silent peer is closed; nil for never.
    let silence: Int64?
    /// From the first piece of a message to its last.
    let message: Int64
    /// From the wish to close to the peer's close frame.
    let close: Int64
    /// For writing the answer to a plain request.
    let response: Int64
    /// How often the deadlines are looked at.
    let resolution: Int64

    /// What `timing` says; fractions of a millisecond count as a whole one.
    package init(_ timing: ConnectionTiming) {
        handshake = timing.handshake.wholeMilliseconds
        admission = timing.admission?.wholeMilliseconds
        ping = timing.ping?.wholeMilliseconds
        inquiry = timing.ping == nil ? timing.silence.map { ($0 / 2).wholeMilliseconds } : nil
        earlyPing = timing.letsPingsGoAlong ? timing.ping.map { ($0 * 3 / 4).wholeMilliseconds } : nil
        silence = timing.silence?.wholeMilliseconds
        message = timing.message.wholeMilliseconds
        close = timing.close.wholeMilliseconds
        response = timing.response.wholeMilliseconds
        resolution = timing.resolution.wholeMilliseconds
    }
}

/// A value that many hold without a copy each.
package final class Shared<Value: Sendable>: Sendable {
    package let value: Value

    package init(_ value: Value) {
        self.value = value
    }
}
