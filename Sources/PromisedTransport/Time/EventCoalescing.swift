/// How long a service thread gathers events before it polls its sockets again.
///
/// Waking a thread costs it and its waker about as much as processing a report. With few connections events are handled
/// at once, because there is nothing to gather; more connections mean a longer wait, up to a bound.
package struct EventCoalescing: Sendable {
    /// The number of connections for which all events wait one more millisecond; fewer are not worth a sleep.
    private static let connectionsPerMillisecond = 100

    /// The longest wait of an event.
    package let longest: Duration
    private var current = Duration.zero
    private var isLongMessageComing = false

    package init(longest: Duration) { self.longest = longest }

    /// How long to gather events with this number of connections.
    package func span(connections: Int) -> Duration {
        min(longest, .milliseconds(connections / Self.connectionsPerMillisecond))
    }

    /// Handles a tick. The more connections there are, the longer events are gathered, except while a long message
    /// arrives. Returns the new time to gather; nil if unchanged.
    package mutating func tick(connections: Int) -> Duration? {
        defer { isLongMessageComing = false }
        return change(to: isLongMessageComing ? .zero : span(connections: connections))
    }

    /// Handles a piece of a long message. The library reads it in small pieces, one per iteration of the loop: until
    /// the next tick but one, iterations do not wait. Returns as ``tick(connections:)``.
    package mutating func longMessageComes() -> Duration? {
        isLongMessageComing = true
        return change(to: .zero)
    }

    private mutating func change(to span: Duration) -> Duration? {
        guard span != current else { return nil }
        current = span
        return span
    }
}
