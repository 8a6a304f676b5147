/// One participant reminded another (domain §9); kept so that a restart does not forget how often that may be.
public struct Nudge: Hashable, Sendable {
    /// Who reminded.
    public var from: UserID
    /// Who was reminded.
    public var to: UserID
    /// When.
    public var at: Instant

    /// A reminder at an instant.
    public init(from: UserID, to: UserID, at: Instant) {
        self.from = from
        self.to = to
        self.at = at
    }
}
