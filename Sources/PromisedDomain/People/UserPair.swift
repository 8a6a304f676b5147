/// Two different users, whichever is named first.
public struct UserPair: Hashable, Sendable {
    /// The smaller of the two ids.
    public let first: UserID
    /// The larger of the two ids.
    public let second: UserID

    /// Two different users in either order.
    public init(_ one: UserID, _ other: UserID) {
        precondition(one != other, "A pair needs two users")
        first = min(one, other)
        second = max(one, other)
    }

    /// The other of the two; nil for a user who is neither.
    public func other(than user: UserID) -> UserID? {
        if user == first { return second }
        return user == second ? first : nil
    }
}
