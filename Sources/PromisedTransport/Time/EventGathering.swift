/// How long a service thread lets events gather before it looks at its sockets again.
///
/// To be woken costs a thread, and who wakes it, about what dealing with a report does. With few connections there is
/// nothing to gather, and what comes is dealt with at once; the more there are the longer it waits, up to a bound.
package struct EventGathering: Sendable {
    /// So many connections have all wait a millisecond longer; fewer are not worth a sleep.
    private static let connectionsPerMillisecond = 100

    /// No event waits longer than this.
    package let longest: Duration

    /// A rule with this bound.
    package init(longest: Duration) {
        self.longest = longest
    }

    /// For how long with so many connections.
    package func span(connections: Int) -> Duration {
        min(longest, .milliseconds(connections / Self.connectionsPerMillisecond))
    }
}
