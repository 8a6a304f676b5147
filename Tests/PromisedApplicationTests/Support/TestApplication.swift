import Logging
import PromisedAccess
import PromisedDomain
import PromisedEngine
import PromisedJournal
import PromisedPlaces
import PromisedSettings
import PromisedStore
import PromisedTestSupport

@testable import PromisedApplication

extension Application {
    /// The application over a test's store and clock, with files in memory.
    ///
    /// - Parameter news: receives its news; also has the queue of its notifications.
    static func tested(
        over store: Store,
        at clock: any WallClock,
        storage: any FileStorage = MemoryFileStorage(),
        telling news: RecordedNews? = nil,
        execution: Execution = Execution(),
        log: Logger = .silent,
        configure: (inout ServerSettings) -> Void = { _ in }
    ) async -> Application {
        let news = news ?? RecordedNews(queue: NotificationQueue(clock: clock))
        var random = RandomSource.system
        var settings = ServerSettings()
        configure(&settings)
        return await Application(
            ApplicationPorts(
                store: store,
                storage: storage,
                connections: ConnectionPorts(news: news, leases: Leases(), notifications: news.queue),
                clock: clock,
                random: random,
                key: SigningKey(using: &random),
                execution: execution,
                settings: settings,
                log: log
            )
        )
    }
}

/// Records the news of an application, each part by its own double.
struct RecordedNews: ApplicationNews {
    let queue: NotificationQueue
    var announcer = RecordingAnnouncer()
    /// Receives the news of use cases.
    var news: any News = SilentNews()

    func connections(of userID: UserID) -> [SubscriberID] { announcer.connections(of: userID) }

    func note(_ event: NumberedEvent, in view: SessionView) {
        announcer.note(event, in: view)
        queue.note(event, in: view)
    }

    func deliver(_ announcements: [Announcement], of promiseID: PromiseID, to subscribers: [SubscriberID]) {
        announcer.deliver(announcements, of: promiseID, to: subscribers)
    }

    func tell(_ item: NewsItem, to audience: NewsAudience) { news.tell(item, to: audience) }
}
