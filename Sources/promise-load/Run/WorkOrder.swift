import PromisedClient

/// What one process of a run is to do.
struct WorkOrder: Hashable, Sendable, Codable {
    /// What is done.
    var plan: LoadPlan
    /// The peer's URL.
    var server: String
    /// The file of access tokens; nil for a relay.
    var tokensFile: String?
    /// How many connections all processes make together.
    var connections: Int
    /// How many people have part in one group of a relay.
    var members: Int
    /// A file of trusted authorities in PEM; nil for the system's.
    var authority: String?
    /// Which of the processes this is, from 0, and how many there are.
    var part = 0
    var parts = 1

    /// Who takes part in this process.
    func seats() throws -> SeatPlan {
        let all =
            if let tokensFile {
                try SeatPlan(tokensFile: tokensFile, connections: connections)
            } else {
                SeatPlan.relay(connections: connections, members: members)
            }
        return parts == 1 ? all : all.part(part, of: parts)
    }
}
