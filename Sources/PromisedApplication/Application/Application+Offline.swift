internal import Logging
internal import PromisedAccess
internal import PromisedDomain
package import PromisedEngine
internal import PromisedJournal
internal import PromisedPlaces
internal import PromisedSettings
internal import PromisedStore

extension Application {
    /// The use cases of an offline command: without connections, weather, metrics and log.
    ///
    /// Its key is as short-lived as the command: an offline command must not store or publish what is signed or hashed
    /// with it.
    ///
    /// - Parameters:
    ///   - directory: the data directory of the store.
    ///   - backups: the folder that must contain backups; nil allows any.
    init(offline store: Store, in directory: String, backups: String?, categories: CategoryTable) async {
        var settings = ServerSettings()
        settings.dataDirectory = directory
        settings.backup.directory = backups
        // The operator decides how full the disk may be.
        settings.files.keepFree = 0
        let clock = ScaledClock(start: RealTime.now)
        var generator = RandomSource.system
        await self.init(
            ApplicationPorts(
                store: store,
                storage: DiskFileStorage(path: directory + "/files"),
                connections: .none(clock: clock),
                clock: clock,
                random: .system,
                key: SigningKey(using: &generator),
                categories: categories,
                settings: settings,
                log: Logger(label: "promised.offline") { _ in SwiftLogNoOpLogHandler() }
            )
        )
    }
}

extension ConnectionPorts {
    /// Nobody is connected.
    package static func none(clock: any WallClock) -> ConnectionPorts {
        let nobody = NoConnections()
        return ConnectionPorts(
            news: nobody,
            leases: nobody,
            notifications: NotificationQueue(clock: clock)
        )
    }
}

/// The connections of an application to which nobody is connected.
private struct NoConnections: ApplicationNews, FocusLeases {
    let endedSignIns: UInt64 = 0

    func connections(of userID: UserID) -> [SubscriberID] { [] }
    func note(_ event: NumberedEvent, in view: SessionView) {}
    func deliver(_ announcements: [Announcement], of promiseID: PromiseID, to subscribers: [SubscriberID]) {}
    func tell(_ item: NewsItem, to audience: NewsAudience) {}
    func focusEnd(of connection: SubscriberID) -> Instant? { nil }

    func end(
        _ userID: UserID,
        because reason: SignInEnd,
        except kept: SubscriberID?,
        where isEnded: (SignInID) -> Bool
    ) -> Int { 0 }
}
