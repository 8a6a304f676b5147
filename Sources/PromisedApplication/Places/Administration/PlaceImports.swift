package import Logging
package import PromisedDomain
package import PromisedEngine
internal import PromisedFormats
package import PromisedPlaces
package import PromisedStore

/// Imports into the directory, at most one per source at a time.
///
/// ```
/// begin ─▶ put, put, … ─▶ finish (removals last; the import ends when the index has been rebuilt)
///              │
///              └─▶ cancel, or 10 min without rows: the imported places stay
/// ```
/// Each batch is committed separately, so repeat an interrupted import: a new import of the source replaces one whose
/// connection has ended. The server and the offline command use the same acts.
package actor PlaceImports {
    /// An import expires after this long without rows, in real time.
    package static let idleLimit = Duration.seconds(600)

    /// The most sources in a directory; the index has room for 4,096.
    package static let mostSources = 1_000

    private let store: (administration: AdministrationStore, places: PlaceStore)
    private let rules: PlaceRules
    private let clock: any WallClock
    private let random: RandomSource
    private let metrics: PlaceImportMetrics
    private let log: Logger
    private let index: (directory: PlaceDirectory, isAwaited: Bool)
    private let hasRoom: @Sendable () async -> Bool
    private let realNow: @Sendable () -> ContinuousClock.Instant
    /// Validates rows: a batch takes several milliseconds.
    private let checking: WorkQueue
    private var imports: [PlaceImportID: PlaceImport] = [:]
    /// The sources being removed.
    private var removals: Set<String> = []

    /// - Parameters:
    ///   - directory: updates its index after changes.
    ///   - waitsForIndex: `true` to end an import only once searches and the map show its changes, or when that has
    ///     failed: the directory then retries, and logs the failure.
    ///   - hasRoom: `false` while the disk has too little free space for imports.
    ///   - realNow: the real clock; replaceable for tests.
    ///   - thread: validates rows; nil for its own thread.
    package init(
        store: some HasAdministration & HasPlaces,
        rules: PlaceRules,
        clock: any WallClock,
        random: RandomSource,
        metrics: PlaceImportMetrics,
        log: Logger,
        directory: PlaceDirectory,
        waitsForIndex: Bool = false,
        hasRoom: @escaping @Sendable () async -> Bool = { true },
        realNow: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        on thread: WorkThread? = nil
    ) {
        checking = WorkQueue(label: "promised.places.imports", about: "places", on: thread)
        self.store = (store.administration, store.places)
        self.rules = rules
        self.clock = clock
        self.random = random
        self.metrics = metrics
        self.log = log
        index = (directory, waitsForIndex)
        self.hasRoom = hasRoom
        self.realNow = realNow
    }

    // MARK: - An import

    /// Begins an import.
    ///
    /// - Parameters:
    ///   - connection: the connection over which the rows arrive; nil for the offline command.
    ///   - audit: written if an administrator begins it, except for a dry run.
    /// - Throws: `TextProblem`, `invalid` with the field, `placeBusy`, `placeLimit` if there are too many sources.
    package func begin(
        _ order: PlaceImportOrder,
        from connection: SubscriberID? = nil,
        audit: AuditEntry? = nil
    ) async throws -> PlaceImportID {
        guard (0...100).contains(order.maxRemovedPercent) else { throw Refusal.invalid(field: "maxRemovedPercent") }
        var order = order
        order.source = try rules.cleaned(order.source)
        forgetIdle()
        try requireFree(order.source.name)
        var generator = random
        let id = PlaceImportID(at: clock.now, using: &generator)
        imports[id] = PlaceImport(order, from: connection, at: realNow())
        do {
            try await requireRoom(for: order.source.name)
            if !order.isDryRun { try await store.places.putSource(order.source, audit: audit) }
        } catch {
            imports[id] = nil
            throw error
        }
        return id
    }

    /// Accepts rows of an import; refused ones change nothing. Of rows with the same `ref`, the first counts.
    ///
    /// - Returns: the refused rows of this call, ascending, and the import so far.
    /// - Throws: `placeNotFound` for an import that has ended, `placeBusy` while it is being finished, `invalid` for
    ///   more than 1,000 rows; `ApplicationError.unavailable` while the disk is nearly full, `StoreError`: then send the rows
    ///   again, and those already written count as unchanged.
    package func put(
        _ rows: [ImportedPlace],
        into id: PlaceImportID,
        from connection: SubscriberID? = nil
    ) async throws -> (refused: [RefusedPlaceRow], report: PlaceImportReport) {
        guard rows.count <= PlaceStore.largestPlaceBatch else {
            let message = "There are \(rows.count) rows: send at most \(PlaceStore.largestPlaceBatch) at once."
            throw ApplicationError.refused(.invalid(field: "rows"), message: message)
        }
        let order = try use(id) { place in
            place.batches += 1
            (place.connection, place.isAbandoned) = (connection, false)
        }.order
        defer { endBatch(of: id, wrote: !order.isDryRun) }
        if !order.isDryRun { try await requireSpace() }
        let (cleaned, refusals) = try await checking.run { [rules] in PlaceImports.check(rows, by: rules) }
        let (taken, refused) = try deduplicated(cleaned, refusals, in: id)
        try await write(taken, of: order, in: id)
        return (refused, try use(id) { $0.report.refused += refused.count }.report)
    }

    private func requireSpace() async throws {
        if await hasRoom() { return }
        let message = "The disk of the server is nearly full: free space on it, then run the import again."
        throw ApplicationError.unavailable(retryAfter: .seconds(60), message: message)
    }

    private func write(_ rows: [ImportedPlace], of order: PlaceImportOrder, in id: PlaceImportID) async throws {
        let (name, now) = (order.source.name, clock.now)
        do throws(StoreError) {
            let changes = try await store.places.putPlaces(
                rows,
                source: name,
                at: now,
                isDryRun: order.isDryRun,
                using: random
            )
            imports[id]?.add(changes)
        } catch {
            imports[id]?.forget(rows)
            throw error
        }
    }

    private func endBatch(of id: PlaceImportID, wrote: Bool) {
        imports[id]?.batches -= 1
        // Announces rows written after the import was cancelled.
        if imports[id] == nil, wrote { index.directory.directoryChanged() }
    }

    /// Finishes an import: removes places missing from the rows, if the order says so. Returns once the map shows the
    /// changes.
    ///
    /// - Parameter audit: written with the report if an administrator finishes it, except for a dry run.
    /// - Throws: `placeNotFound` for an import that has ended, `placeBusy` while rows are being written, `invalid` if
    ///   too large a share of the source would be removed: then the import ends without removing anything.
    package func finish(_ id: PlaceImportID, audit: AuditEntry? = nil) async throws -> PlaceImportReport {
        let ended = try use(id) { place throws(ApplicationError) in
            guard place.batches == 0 else { throw PlaceImports.busy("Rows of this import are still being written.") }
            place.isFinishing = true
        }
        do {
            var report = ended.report
            report.removed = try await remove(by: ended)
            if var audit, !ended.order.isDryRun {
                audit.detail = report.detail
                try await store.administration.record(audit)
            }
            end(id, .finished)
            if !ended.order.isDryRun {
                metrics.count(report)
                if index.isAwaited { await index.directory.showChanges() }
            }
            return report
        } catch let error as ApplicationError {
            end(id, .refused)
            throw error
        } catch {
            imports[id]?.isFinishing = false
            throw error
        }
    }

    /// Ends an import without removing anything; the imported places stay. Throws `placeNotFound`.
    package func cancel(_ id: PlaceImportID) throws {
        _ = try use(id) { _ in }
        end(id, .cancelled)
    }

    /// Ends imports without rows for ``idleLimit``.
    package func forgetIdle() {
        let now = realNow()
        for (id, place) in imports where place.batches == 0 && !place.isFinishing {
            if now - place.lastUse >= PlaceImports.idleLimit { end(id, .forgotten) }
        }
    }

    /// Marks the imports of an ended connection, so that new imports of their sources can replace them.
    package func forget(_ connection: SubscriberID) {
        for (id, place) in imports where place.connection == connection {
            imports[id]?.connection = nil
            imports[id]?.isAbandoned = true
        }
    }

    /// The names of the sources with an import in progress.
    package var sources: Set<String> { Set(imports.values.map(\.order.source.name)) }

    // MARK: - A source

    /// Removes a source with all its places.
    ///
    /// - Parameter audit: written in the same transaction if an administrator does this.
    /// - Returns: how many places were removed.
    /// - Throws: `placeBusy` during an import of the source, `placeNotFound` if the source is unknown.
    package func removeSource(named name: String, audit: AuditEntry? = nil) async throws -> Int {
        forgetIdle()
        try requireFree(name)
        removals.insert(name)
        defer {
            removals.remove(name)
            index.directory.directoryChanged()
        }
        guard let removed = try await store.places.removeSource(named: name, at: clock.now, audit: audit) else {
            throw ApplicationError.refused(.placeNotFound, field: "source", message: "No source has this name.")
        }
        return removed
    }

    // MARK: - Parts

    private func requireFree(_ source: String) throws(ApplicationError) {
        for (id, place) in imports where place.order.source.name == source && place.isAbandoned {
            if place.batches == 0, !place.isFinishing { end(id, .forgotten) }
        }
        let isImported = imports.values.contains { $0.order.source.name == source }
        guard !isImported, !removals.contains(source) else {
            throw PlaceImports.busy("Another import or the removal of this source is in progress.")
        }
    }

    /// Throws if the source is new and the directory already has the most sources allowed.
    private func requireRoom(for source: String) async throws {
        let known = try await store.places.placeSources().map(\.source.name)
        guard known.contains(source) || known.count < PlaceImports.mostSources else {
            let message = "The directory has \(known.count) sources: remove one, or import into an existing one."
            throw ApplicationError.refused(.placeLimit, field: "source.name", message: message)
        }
    }

    /// Changes an import that accepts rows, and records its use. Returns it.
    private func use(
        _ id: PlaceImportID,
        _ change: (inout PlaceImport) throws(ApplicationError) -> Void
    ) throws(ApplicationError) -> PlaceImport {
        guard var place = imports[id] else { throw PlaceImports.unknown }
        guard !place.isFinishing else { throw PlaceImports.busy("This import is being finished.") }
        try change(&place)
        place.lastUse = realNow()
        imports[id] = place
        return place
    }

    private static let unknown = ApplicationError.refused(
        .placeNotFound,
        field: "importId",
        message: "No such import is in progress: begin it again. An import ends after 10 min without rows."
    )

    private static func busy(_ message: String) -> ApplicationError {
        .refused(.placeBusy, message: message + " Wait until it has ended, then try again.")
    }

    private static func check(
        _ rows: [ImportedPlace],
        by rules: PlaceRules
    ) -> (rows: [(index: Int, place: ImportedPlace)], refused: [RefusedPlaceRow]) {
        var (cleaned, refused): ([(Int, ImportedPlace)], [RefusedPlaceRow]) = ([], [])
        for (index, row) in rows.enumerated() {
            do throws(PlaceRowProblem) {
                cleaned.append((index, try rules.cleaned(row)))
            } catch {
                refused.append(RefusedPlaceRow(index: index, problem: error))
            }
        }
        return (cleaned, refused)
    }

    private func deduplicated(
        _ rows: [(index: Int, place: ImportedPlace)],
        _ refused: [RefusedPlaceRow],
        in id: PlaceImportID
    ) throws(ApplicationError) -> (taken: [ImportedPlace], refused: [RefusedPlaceRow]) {
        var (taken, refused) = ([ImportedPlace](), refused)
        _ = try use(id) { place in
            for row in rows {
                if place.note(row.place.ref) {
                    taken.append(row.place)
                } else {
                    refused.append(RefusedPlaceRow(index: row.index, problem: .duplicate))
                }
            }
        }
        return (taken, refused.sorted { $0.index < $1.index })
    }

    /// Removes the places missing from the rows of a replacement. Returns their number, also for a dry run.
    private func remove(by place: PlaceImport) async throws -> Int {
        let order = place.order
        guard order.replaces else { return 0 }
        let missing = try await store.places.missingPlaces(of: order.source.name, seen: place.seen)
        let known = place.report.known(missing: missing.count)
        guard missing.count * 100 <= known * order.maxRemovedPercent else {
            let message = """
                The rows lack \(missing.count) of the \(known) places of \(order.source.name): at most \
                \(order.maxRemovedPercent) % may be removed. Import the whole file, or allow more to be removed.
                """
            throw ApplicationError.refused(.invalid(field: "maxRemovedPercent"), message: message)
        }
        if order.isDryRun { return missing.count }
        return try await store.places.removePlaces(missing, at: clock.now)
    }

    private func end(_ id: PlaceImportID, _ outcome: PlaceImportMetrics.Outcome) {
        guard let place = imports.removeValue(forKey: id) else { return }
        metrics.ended(outcome)
        log.info("An import of places ended", metadata: ["source": "\(place.order.source.name)", "as": "\(outcome)"])
        if !place.order.isDryRun { index.directory.directoryChanged() }
    }
}

extension PlaceImport {
    /// Adds the numbers of a batch.
    fileprivate mutating func add(_ changes: PlaceChanges) {
        report.added += changes.added
        report.changed += changes.changed
        report.unchanged += changes.unchanged
        if order.replaces { seen.formUnion(changes.seen) }
    }
}

extension PlaceImportReport {
    /// The numbers as text, for the audit.
    fileprivate var detail: String {
        "added \(added), changed \(changed), unchanged \(unchanged), removed \(removed), refused \(refused)"
    }
}

extension PlaceRowProblem {
    fileprivate static let duplicate = PlaceRowProblem(
        reason: .duplicate,
        field: "ref",
        message: "An earlier row has the same ref."
    )
}
