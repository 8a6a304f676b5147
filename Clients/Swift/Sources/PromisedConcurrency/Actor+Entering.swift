extension Actor {
    /// Runs `body` inside the actor, whose executor the caller already runs on.
    ///
    /// `assumeIsolated` does the same, but allocates two closures, twice for each report, and checks the executor twice, by
    /// way of the current task. With Swift 6.3.1 a report took 49,100 instructions that way and takes 46,200 this way
    /// (docs/performance.md). Repeat that comparison with each new compiler, and remove this when the two are equal.
    ///
    /// Inlinable, so that other modules neither copy the argument nor allocate for `body`.
    ///
    /// - Parameters:
    ///   - argument: passed to `body`, which so needs no captures and allocates no memory.
    ///   - body: runs before this returns.
    /// - Precondition: the actor has its own executor that implements `isIsolatingCurrentContext`, and the caller runs
    ///   there.
    @available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *)
    @inlinable public nonisolated func entered<Argument: Sendable, Result: Sendable>(
        with argument: Argument,
        _ body: @escaping (isolated Self, Argument) -> Result
    ) -> Result {
        precondition(
            unownedExecutor.asSerialExecutor()?.isIsolatingCurrentContext() == true,
            "An actor is entered from its executor only."
        )
        // Safe: a function of an actor is called like any other that takes the actor as an argument, and the lines
        // above have checked that this is its executor. The standard library does the same.
        return unsafeBitCast(body, to: ((Self, Argument) -> Result).self)(self, argument)
    }
}
