/// The limits of ``ConnectionTiming`` in whole milliseconds of the loop, computed once for all connections: a duration
/// has 128 bits, which makes converting it at each check too slow.
package struct DeadlineTerms: Sendable {
    /// From the connection to the end of the handshake.
    let handshake: Int64
    /// From the handshake to the admission; nil for none.
    let admission: Int64?
    /// Between two pings; nil if only a silent peer is pinged.
    let ping: Int64?
    /// From the peer's last sign of life to a ping, if there are no regular pings; nil for never.
    let inquiry: Int64?
    /// From a ping to the earliest one that may accompany another frame: three quarters of the ping interval. Nil for
    /// never.
    let earlyPing: Int64?
    /// The time after which a silent peer is closed; nil for never.
    let silence: Int64?
    /// From the first piece of a message to its last.
    let message: Int64
    /// From the decision to close to the peer's close frame.
    let close: Int64
    /// For writing the reply to a plain request.
    let response: Int64
    /// The interval of checks.
    let resolution: Int64

    /// The limits in `timing`; fractions of a millisecond are rounded up.
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

/// A value shared without copies.
package final class Shared<Value: Sendable>: Sendable {
    package let value: Value

    package init(_ value: Value) { self.value = value }
}
