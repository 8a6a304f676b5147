package import PromisedDomain

extension PromiseSession {
    /// Feeds an event that may add people. Reads the blocks before the event, so that it reveals no hidden data, and
    /// again after it, in case a block was made meanwhile.
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
            // The event is durable and must not be answered with an error. The next change reads blocks made at this
            // moment; the failure has been logged.
        }
        return reply
    }

    /// Reads the blocks between the promise's people again. Throws `unavailable`, `retired`, `notFound`.
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

/// Orders a session's concurrent reads of the blocks. A read that ends after one that began later is stale, and its
/// result is dropped: the later one includes everything it would have found.
struct BlockLooks {
    private var begun = 0
    private var newest = 0
    /// The people being added: each read includes them, so that their blocks are known before they join.
    var newcomers: [UserID] = []

    /// The number of a new read.
    mutating func begin() -> Int {
        begun += 1
        return begun
    }

    /// Ends the read with this number. Returns `true` if no later read has ended before.
    mutating func end(_ number: Int) -> Bool {
        guard number > newest else { return false }
        newest = number
        return true
    }
}

extension [UserID] {
    /// Removes the first occurrence of each of these.
    fileprivate mutating func removeFirst(of others: [UserID]) {
        for other in others {
            if let index = firstIndex(of: other) { remove(at: index) }
        }
    }
}
