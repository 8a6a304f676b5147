package import PromisedDomain

extension PromiseSession {
    /// Feeds an event that may add people: reads the blocks before, so that nothing is revealed, and again after, in
    /// case a block was made meanwhile.
    ///
    /// - Throws: as ``perform(_:)``.
    @discardableResult
    package func admit(_ newcomers: [UserID], by event: SessionEvent) async throws(EngineError) -> SessionReply {
        life.underWay += 1
        defer { life.underWay -= 1 }
        try await ensureRunning()
        try await lookUpBlocks(with: newcomers)
        let reply = try await perform(event)
        do throws(EngineError) {
            try await lookUpBlocks(with: [])
        } catch {
            // The event is durable and must not be answered with an error. Blocks made at this moment are read with the
            // next change; the failure has been logged.
        }
        return reply
    }

    /// Reads the blocks between the promise's people anew. Throws `unavailable`, `retired`, `notFound`.
    package func refreshBlocks() async throws(EngineError) {
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
