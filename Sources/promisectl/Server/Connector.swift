import PromisedClient

/// Where to connect, and with what.
struct Target: Sendable {
    /// The server.
    var address: ServerAddress
    /// An administrator's token.
    var secret: String
    /// A file of certificate authorities in PEM, instead of the system's.
    var authoritiesFile: String?
    /// How long one request may take.
    var patience: Duration
}

/// Comes to servers; a seam for tests.
protocol Connector: Sendable {
    /// Connects and signs in, in one attempt of at most five seconds.
    func connect(to target: Target) async throws(Failure) -> any Administration
    /// Knocks without a token and tells how long the answer took, in one attempt of at most five seconds.
    func knock(at address: ServerAddress, authoritiesFile: String?) async throws(Failure) -> ServerKnock.Finding
}
