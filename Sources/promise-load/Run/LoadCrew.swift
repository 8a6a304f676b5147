/// Whoever makes the connections of a run: this process, or several.
protocol LoadCrew: Sendable {
    /// Connects everybody; returns when all are subscribed.
    ///
    /// - Throws: ``LoadFailure`` when not all come to be.
    func connect() async throws

    /// Measures from one moment to another, then lets what is under way arrive, and goes.
    ///
    /// - Parameter range: in the future.
    func measure(_ range: Range<LoadTime>) async throws -> LoadTally
}
