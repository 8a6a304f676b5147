/// How long a service thread lets events gather before it looks at its sockets again.
///
/// Waking a thread costs it and its waker about as much as processing a report. With few connections there is nothing
/// to gather, and events are handled at once; more connections mean a longer wait, up to a bound.
package struct EventGathering: Sendable {
    /// This many connections make all events wait a millisecond longer; fewer are not worth a sleep.
    private static let connectionsPerMillisecond = 100

    /// No event waits longer than this.
    package let longest: Duration
    private var current = Duration.zero
    private var isLongMessageComing = false

    /// A rule with this bound.
    package init(longest: Duration) { self.longest = longest }

    /// How long events gather with this number of connections.
    package func span(connections: Int) -> Duration {
        min(longest, .milliseconds(connections / Self.connectionsPerMillisecond))
    }

    /// The ticker fired. The more connections there are the longer events gather, but not while a long message arrives.
    /// Returns the new time to gather; nil if unchanged.
    package mutating func tick(connections: Int) -> Duration? {
        defer { isLongMessageComing = false }
        return change(to: isLongMessageComing ? .zero : span(connections: connections))
    }

    /// A piece of a long message arrived. The library reads it in small pieces, one at each turn of the loop: no turn
    /// waits until the next tick but one. Returns as ``tick(connections:)``.
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
