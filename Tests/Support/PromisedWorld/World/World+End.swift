internal import PromisedDomain
internal import PromisedStore

// Checks of the whole world at the end.
extension World {
    /// - Throws: anything that is not settled, erased or complete.
    func checkEnd() throws {
        guard let server = process.server else { throw Violation(.settled, "no server runs") }
        for (id, promise) in checker.committed.promises.sorted(by: { $0.key < $1.key }) {
            guard promise.isFinal || promise.isCancelled else { throw Violation(.settled, "a promise did not end") }
            guard promise.isCancelled || checker.committed.results[id] != nil else {
                throw Violation(.settled, "a promise is final without a result")
            }
            try requireKnown(id, promise.lastSeq)
        }
        try requireAppSettled()
        for export in checker.committed.owned.exports.values where !export.isReady {
            guard export.askedAt > now - .minutes(1) else { throw Violation(.settled, "an export does not end") }
        }
        try requireErased(server)
    }

    /// Checks that promises end without a client's request, unless the disk has failed lately or the server has just
    /// been started.
    ///
    /// - Throws: a promise that has not ended a minute after its time.
    func requireEnded() throws(Violation) {
        if let lastAt = process.lastFailureAt, lastAt > now - .minutes(15) { return }
        let isExcused = story.acts.contains { act in
            switch act.deed {
            case .crash(let span): Story.beginning + .milliseconds(act.atMs + span) > now - .seconds(90)
            default: false
            }
        }
        guard !isExcused else { return }
        let settle = TimeSpan.milliseconds((story.spans.settle + 60) * 1_000)
        for promise in checker.committed.promises.values where !promise.isFinal && !promise.isCancelled {
            guard now < promise.closesAt + settle else { throw Violation(.settled, "a promise did not end by itself") }
        }
    }

    /// Ends the process for good, and verifies the remaining data. Throws the store's findings.
    func end() throws {
        endApp()
        try extinguish()
        guard let image = process.takeImage() else { return }
        let left = try SimulatedStore(image)
        let ids = checker.committed.promises.keys.sorted()
        let (violations, snapshots) = try Waiting.run {
            var snapshots: [SessionSnapshot] = []
            for id in ids {
                if let snapshot = try await left.store.sessions.snapshot(of: id, withFixes: true) {
                    snapshots.append(snapshot)
                }
            }
            return (try await left.store.upkeep.verify(), snapshots)
        }
        try checkBelongings(left)
        try left.close()
        guard violations.isEmpty else { throw Violation(.settled, "\(violations)") }
        for snapshot in snapshots { try SenderCheck.check(snapshot.fixes, from: owners) }
        for snapshot in snapshots where snapshot.result != nil { try EvidenceCheck.check(snapshot) }
    }

    /// The users of all devices.
    private var owners: [String: UserID] {
        var owners: [String: UserID] = [:]
        for client in clients { owners[client.phone.key.deviceID] = client.userID }
        if let app { owners[app.app.deviceID] = app.app.userID }
        return owners
    }

    /// Checks that every connected participant has received all events.
    private func requireKnown(_ id: PromiseID, _ lastSeq: Int) throws(Violation) {
        for client in clients where checker.committed.parts[id]?[client.userID]?.membership == "accepted" {
            guard client.signIn == .welcome, !checker.committed.deleted.contains(client.userID),
                let stream = client.streams[id]
            else { continue }
            guard stream.isSubscribed, stream.lastSeq == lastSeq else {
                let state = stream.isSubscribed ? "is at event \(stream.lastSeq)" : "is not subscribed"
                throw Violation(.settled, "phone of \(client.userID.low & 0xFF) \(state), the last one is \(lastSeq)")
            }
        }
    }

    /// Checks that no table contains personal data of a deleted account.
    private func requireErased(_ server: SimulatedServer) throws {
        let deleted = (0..<story.people).filter { checker.committed.deleted.contains(Fixtures.user($0)) }
        guard !deleted.isEmpty else { return }
        try BelongingEnd.requireNoRows(of: deleted.map(Fixtures.user), in: server.database)
        let tables = try server.database.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        )
        for table in tables.compactMap(\.first) {
            let cells = try server.database.rows("SELECT * FROM \(table)").joined()
            for person in deleted where cells.contains(where: { $0.contains(Fixtures.token(person)) }) {
                throw Violation(.erased, "table \(table) still names a deleted account")
            }
        }
    }
}
