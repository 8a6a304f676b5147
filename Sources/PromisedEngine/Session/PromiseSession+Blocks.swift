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
        blockLooks.newcomers += newcomers
        defer { blockLooks.newcomers.removeFirst(of: newcomers) }
        try await lookUpBlocks()
        let reply = try await perform(event)
        do throws(EngineError) {
            try await lookUpBlocks()
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
        try await lookUpBlocks()
    }

    private func lookUpBlocks() async throws(EngineError) {
        let number = blockLooks.begin()
        let pairs: Set<UserPair>
        do {
            let people = machine.participants.map(\.userID) + blockLooks.newcomers
            pairs = try await context.archive.blocks(among: people)
        } catch {
            logRead(error)
            throw .unavailable
        }
        guard life.phase == .running else { throw life.phase == .retired ? .retired : .unavailable }
        guard blockLooks.end(number), pairs != machine.blocks else { return }
        try await carryOut(machine.receive(.blocks(pairs), at: context.clock.now))
    }
}

/// The order of a session's looks at the blocks. Several may be under way at a time. One that ends after a look that began
/// later is out of date, and its result is dropped: the later one has found all that it was to find.
struct BlockLooks {
    private var begun = 0
    private var newest = 0
    /// The people who are being added: each look includes them, so that none forgets their blocks before they are in.
    var newcomers: [UserID] = []

    /// The number of a look that begins.
    mutating func begin() -> Int {
        begun += 1
        return begun
    }

    /// Notes the end of the look with a number. Returns whether no later one has ended before.
    mutating func end(_ number: Int) -> Bool {
        guard number > newest else { return false }
        newest = number
        return true
    }
}

extension [UserID] {
    /// Takes out the first of each of these.
    fileprivate mutating func removeFirst(of others: [UserID]) {
        for other in others {
            if let index = firstIndex(of: other) { remove(at: index) }
        }
    }
}
