internal import PromisedApplication
internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedPlaces

/// An import that has ended.
struct LoadedPlaces: Hashable, Sendable {
    let rows: [ImportedPlace]
    let isReplacement: Bool
    let report: PlaceImportReport
}

/// The operator of a server's directory of places.
final class DirectoryOperator: Sendable {
    /// The number of rows in a batch: few, so that an import has several.
    private static let batch = 3
    /// How long the operator waits before repeating a batch that the disk has refused.
    private static let pause = TimeSpan.seconds(5)

    private let places: PlaceUseCases
    private let clock: VirtualClock
    private let loaded = Guarded<[LoadedPlaces]>([])

    init(_ application: Application, clock: VirtualClock) { (places, self.clock) = (application.places, clock) }

    /// The imports that have ended since the last call, in order.
    func takeLoaded() -> [LoadedPlaces] {
        loaded.withLock { loaded in
            guard !loaded.isEmpty else { return [] }
            defer { loaded = [] }
            return loaded
        }
    }

    /// Changes the directory; a faulty disk may prevent it.
    func operate(_ errand: Errand) async {
        switch errand {
        case .alter(let place, let closes):
            _ = try? await places.administration.edit(
                Fixtures.place(place),
                to: Fixtures.listing(place, isClosed: closes, number: clock.now.milliseconds),
                audit: nil
            )
        case .remove(let place): try? await places.administration.remove(Fixtures.place(place), audit: nil)
        case .load(let count, let without, let replaces):
            let known = (0..<ErrandMaker.places).filter { $0 != without }
            let rows = known.map { Fixtures.listing($0, isClosed: false) } + (0..<count).map(Fixtures.imported)
            guard let report = await load(rows, replaces: replaces) else { return }
            loaded.withLock { $0.append(LoadedPlaces(rows: rows, isReplacement: replaces, report: report)) }
        default: preconditionFailure("Nothing for the operator: \(errand)")
        }
    }

    /// Imports places in batches, and repeats a batch that the disk has refused.
    ///
    /// - Returns: the report; nil if the operator has given up.
    private func load(_ rows: [ImportedPlace], replaces: Bool) async -> PlaceImportReport? {
        let source = PlaceSource(name: Fixtures.source, timeZone: "UTC")
        let imports = places.imports
        let order = PlaceImportOrder(source: source, replaces: replaces, maxRemovedPercent: 100)
        guard let id = await retried({ try await imports.begin(order) }) else { return nil }
        for start in stride(from: 0, to: rows.count, by: Self.batch) {
            let batch = Array(rows[start..<min(start + Self.batch, rows.count)])
            guard await retried({ try await imports.put(batch, into: id) }) != nil else {
                // The import expires if that fails.
                try? await imports.cancel(id)
                return nil
            }
        }
        return await retried { try await imports.finish(id) }
    }

    /// Retries a few times. Nil if the disk fails every time, or the process dies.
    private func retried<Value: Sendable>(_ body: @Sendable () async throws -> Value) async -> Value? {
        for _ in 0..<4 {
            // A failure is retried.
            if let value = try? await body() { return value }
            // Sleeping fails only when the process dies.
            guard (try? await clock.sleep(until: clock.now + Self.pause)) != nil else { return nil }
        }
        return nil
    }
}
