/// Whoever makes the connections of a run: this process, or several.
protocol LoadCrew: Sendable {
    /// Connects everybody, measures, lets what is under way arrive, and goes.
    ///
    /// - Parameter begin: called when everybody is subscribed; says from when to when is measured, in the future.
    /// - Throws: ``LoadFailure`` when not all come to be subscribed, and what `begin` throws.
    func run(_ begin: @Sendable () async throws -> Range<LoadTime>) async throws -> LoadTally
}
