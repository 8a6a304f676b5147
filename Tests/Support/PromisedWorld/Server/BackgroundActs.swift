internal import CoreMetrics
internal import PromisedApplication
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedStore

/// The acts behind requests: exports of users' data, imports of places, notifications and the weather.
struct BackgroundActs: Sendable {
    /// The number of rows in a batch: few, so that an import has several.
    private static let batch = 3
    /// How long the operator waits before repeating a batch that the disk has refused.
    private static let pause = TimeSpan.seconds(5)

    private let exports: DataExports
    private let imports: PlaceImports
    private let notifications: Notifications
    private let weather: WeatherActs?
    private let files: Files
    private let clock: VirtualClock

    init(
        store: Store,
        files: Files,
        notifications: NotificationQueue,
        weather: WeatherActs?,
        directory: PlaceDirectory,
        news: any News,
        clock: VirtualClock,
        random: RandomSource
    ) {
        (self.files, self.clock, self.weather) = (files, clock, weather)
        self.notifications = Notifications(store: store, queue: notifications)
        exports = DataExports(
            store: store,
            files: files,
            notifications: notifications,
            news: news,
            clock: clock,
            on: WorldExecutor.shared,
            log: .silent
        )
        imports = PlaceImports(
            store: store,
            rules: PlaceRules(categories: .builtIn),
            clock: clock,
            random: random,
            metrics: PlaceImportMetrics(NOOPMetricsHandler.instance),
            log: .silent,
            directory: directory,
            realNow: { clock.realNow },
            on: .calling
        )
    }

    /// Makes exports and fetches weather until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await exports.run() }
            if let weather { group.addTask { await weather.run() } }
        }
    }

    /// Answers a request of a user.
    func answer(_ ask: ErrandAsk, of userID: UserID) async throws -> Answer {
        switch ask {
        case .export: return .errand(try await export(for: userID))
        case .mute(let isOn):
            let off = isOn ? Set(NotificationKind.allCases) : []
            _ = try await notifications.updateSettings(of: userID, off: off, quietFrom: nil, quietTo: nil)
            return .done
        case .inbox:
            let page = try await notifications.list(of: userID, after: nil, limit: 100).page
            let ids = page.items.map(\.entry.notification.id)
            try await notifications.read(ids, by: userID)
            return .errand(.inbox(ids))
        case .outlook(let id):
            guard let weather else { preconditionFailure("The story has no weather") }
            return .errand(.outlook(try await weather.outlook(of: id, for: userID)))
        default: preconditionFailure("Nothing in the background: \(ask)")
        }
    }

    // MARK: - Exports

    /// Returns the state of the export of a user's data, and begins one if necessary; the archive once it is ready.
    private func export(for userID: UserID) async throws -> ErrandAnswer {
        guard case .ready(let file) = try await exports.request(by: userID) else { return .exporting }
        var bytes: [UInt8] = []
        while Int64(bytes.count) < file.bytes {
            bytes += try await files.read(file.id, from: Int64(bytes.count), limit: 4_000, by: userID).bytes
        }
        return .exported(file.id, bytes)
    }

    // MARK: - Imports

    /// Imports places in batches, and repeats a batch that the disk has refused.
    ///
    /// - Returns: the report; nil if the operator has given up.
    func load(_ rows: [ImportedPlace], replaces: Bool) async -> PlaceImportReport? {
        let source = PlaceSource(name: Cast.source, timeZone: "UTC")
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
