extension Actor {
    /// Runs `body` inside the actor, on whose executor the caller already is.
    ///
    /// `assumeIsolated` does the same, but makes and frees two closures for it, twice for each report, and asks twice where it
    /// runs. It asks the runtime, as does `preconditionIsolated`, which goes through the current task to come to the
    /// executor that is asked here.
    ///
    /// - Parameters:
    ///   - argument: what `body` is to have, which so needs to capture nothing and takes no memory.
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
        // Safe: a function of an actor is called like any other that has the actor as an argument, and that this is where the
        // actor runs was asked just now. The standard library does the same. It can go when `assumeIsolated` costs nothing.
        return unsafeBitCast(body, to: ((Self, Argument) -> Result).self)(self, argument)
    }
}
