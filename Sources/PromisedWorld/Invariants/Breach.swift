/// The invariants of a world.
package enum Invariant: String, Hashable, Sendable, Codable, CaseIterable {
    /// Ranks follow domain §6.4.
    case ranks
    /// Each person has at most one credited arrival, and it is the one that the events tell.
    case oneArrival = "one-arrival"
    /// Each arrival by positions, and none else, follows from the stored fixes of one device.
    case evidence
    /// Only participants receive live data, only in the window, and only of those who share.
    case privacy
    /// Nothing is told to or of somebody who is blocked or removed.
    case separation
    /// Each subscriber gets the durable events without a gap, in order, once, and none before its commit.
    case events
    /// Results and visits are written once, and never change but by an excuse.
    case once
    /// All acknowledged data is stored.
    case acknowledged
    /// Statistics equal the results.
    case statistics
    /// Nothing that users keep changes or vanishes unasked.
    case kept
    /// Recordings lose no acknowledged point, and count none twice.
    case recordings
    /// The files of a user take no more space than they may, and the bytes are those of the rows.
    case quota
    /// Nobody outside an audience is shown a visit, a course or a file, and everybody inside it is.
    case audience
    /// Nobody outside a promise is told its weather, and nobody what no provider has said.
    case weather
    /// Nothing is left of a deleted account.
    case erased
    /// Every promise ends, everybody learns of it, and the store verifies.
    case settled
}

/// A broken invariant.
package struct Breach: Error, Hashable, Sendable, Codable {
    /// The invariant.
    package let invariant: Invariant
    /// The finding.
    package let detail: String

    init(_ invariant: Invariant, _ detail: String) {
        self.invariant = invariant
        self.detail = detail
    }
}
