/// How long a service thread lets events gather before it looks at its sockets again.
///
/// To be woken costs a thread, and who wakes it, about what dealing with a report does. With few connections there is
/// nothing to gather, and what comes is dealt with at once; the more there are the longer it waits, up to a bound.
package struct EventGathering: Sendable {
    /// So many connections have all wait a millisecond longer; fewer are not worth a sleep.
    private static let connectionsPerMillisecond = 100

    /// No event waits longer than this.
    package let longest: Duration
    private var current = Duration.zero
    private var isLongMessageComing = false

    /// A rule with this bound.
    package init(longest: Duration) {
        self.longest = longest
    }

    /// For how long with so many connections.
    package func span(connections: Int) -> Duration {
        min(longest, .milliseconds(connections / Self.connectionsPerMillisecond))
    }

    /// The ticker came. The more connections there are the longer events gather, but not while a long message comes in.
    ///
    /// - Returns: for how long from now on; nil for as long as before.
    package mutating func tick(connections: Int) -> Duration? {
        defer { isLongMessageComing = false }
        return change(to: isLongMessageComing ? .zero : span(connections: connections))
    }

    /// A piece of a long message came. The library reads it in small pieces, one at each turn of the loop: until the next
    /// tick but one no turn waits.
    ///
    /// - Returns: as ``tick(connections:)``.
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
