extension Actor {
    /// Runs `body` inside the actor, whose executor the caller already runs on.
    ///
    /// `assumeIsolated` does the same, but makes and frees two closures for it, twice for each report, and asks twice where it
    /// runs. It asks the runtime, as does `preconditionIsolated`, which goes through the current task to come to the
    /// executor that is asked here.
    ///
    /// - Parameters:
    ///   - argument: passed to `body`, which then needs to capture nothing and allocates no memory.
    ///   - body: runs before this returns.
    /// - Precondition: the actor has an executor of its own that answers `isIsolatingCurrentContext`, and the caller runs
    ///   there.
    package nonisolated func entered<Argument: Sendable, Result: Sendable>(
        with argument: Argument,
        _ body: @escaping (isolated Self, Argument) -> Result
    ) -> Result {
        precondition(
            unownedExecutor.asSerialExecutor()?.isIsolatingCurrentContext() == true,
            "An actor is entered from its executor only."
        )
        // Safe: a function of an actor is called like any other that takes the actor as an argument, and the lines
        // above have checked that this is its executor. The standard library does the same. Remove this when
        // `assumeIsolated` costs nothing.
        return unsafeBitCast(body, to: ((Self, Argument) -> Result).self)(self, argument)
    }
}
