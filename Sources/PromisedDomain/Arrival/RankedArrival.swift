/// An arrival with its place among the others.
public struct RankedArrival: Hashable, Sendable, Codable {
    /// Who arrived.
    public var userID: UserID
    /// When and how.
    public var arrival: Arrival
    /// 1 for the first; ties share a rank and the next one skips.
    public var rank: Int

    /// An arrival of rank `rank`.
    public init(userID: UserID, arrival: Arrival, rank: Int) {
        self.userID = userID
        self.arrival = arrival
        self.rank = rank
    }
}
