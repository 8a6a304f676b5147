public import PromisedDomain

extension PromiseSession {
    /// Feeds an event that may bring people in who were not there before: between whom a block stands is looked up
    /// before, so that nothing is told too much, and again after, for a block that was made meanwhile.
    ///
    /// - Throws: as ``perform(_:)``.
    @discardableResult
    public func admit(_ newcomers: [UserID], by event: SessionEvent) async throws(EngineError) -> SessionReply {
        life.underWay += 1
        defer { life.underWay -= 1 }
        try await ensureRunning()
        try await lookUpBlocks(with: newcomers)
        let reply = try await perform(event)
        do throws(EngineError) {
            try await lookUpBlocks(with: [])
        } catch {
            // The event is durable and must not be answered with an error. Blocks made in this very moment are looked
            // up with the next change, and have been logged.
        }
        return reply
    }

    /// Looks up anew between whom of the promise's people a block stands.
    ///
    /// - Throws: `unavailable`, `retired`, `notFound`.
    public func refreshBlocks() async throws(EngineError) {
        life.underWay += 1
        defer { life.underWay -= 1 }
        try await ensureRunning()
        try await lookUpBlocks(with: [])
    }

    private func lookUpBlocks(with newcomers: [UserID]) async throws(EngineError) {
        let pairs: Set<UserPair>
        do {
            pairs = try await context.archive.blocks(among: machine.participants.map(\.userID) + newcomers)
        } catch {
            logRead(error)
            throw .unavailable
        }
        guard life.phase == .running else { throw life.phase == .retired ? .retired : .unavailable }
        guard pairs != machine.blocks else { return }
        try await carryOut(machine.receive(.blocks(pairs), at: context.clock.now))
    }
}
