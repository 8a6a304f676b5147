/// The invariants of a world.
package enum Invariant: String, Hashable, Sendable, Codable, CaseIterable {
    /// Ranks follow domain §6.4.
    case ranks
    /// Each person has at most one credited arrival, and the events report the same one.
    case oneArrival = "one-arrival"
    /// Each arrival by positions, and no other, follows from the stored fixes of one device.
    case evidence
    /// Only participants receive live data, only in the window, and only from those who share.
    case privacy
    /// Requests act for the user of their connection, and for nobody before the sign-in.
    case sender
    /// A connection has no more requests answered than its rate allows.
    case rate
    /// Clients can read every frame.
    case readable
    /// Blocked and removed users neither receive nor appear in what others receive.
    case separation
    /// Each subscriber receives the durable events without a gap, in order, once, and only after their commit.
    case events
    /// Results and visits are written once, and change only by an excuse.
    case once
    /// All acknowledged data is stored.
    case acknowledged
    /// Statistics equal the results.
    case statistics
    /// Users' stored data changes or disappears only on request.
    case kept
    /// Recordings store each acknowledged point exactly once.
    case recordings
    /// A user's files stay within the quota, and their bytes match the rows.
    case quota
    /// A visit, a course or a file is shown to its whole audience, and only to it.
    case audience
    /// The weather of a promise is shown only to its people, and as a provider has reported it.
    case weather
    /// A deleted account leaves no data.
    case erased
    /// Every promise ends, every participant is notified, and the store verifies.
    case settled
}

package struct Violation: Error, Hashable, Sendable, Codable {
    package let invariant: Invariant
    package let detail: String

    init(_ invariant: Invariant, _ detail: String) {
        self.invariant = invariant
        self.detail = detail
    }
}
