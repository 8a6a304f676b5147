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
    /// - Parameter news: what it tells; also has the queue of its notifications.
    static func tested(
        over store: Store,
        at clock: any WallClock,
        vault: any FileVault = MemoryVault(),
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
                vault: vault,
                connections: ConnectionPorts(
                    news: news,
                    endings: news,
                    leases: Leases(),
                    notifications: news.queue
                ),
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

/// Records what an application tells, each part by its own double.
struct RecordedNews: ApplicationNews, SignInEndings {
    let queue: NotificationQueue
    var announcer = RecordingAnnouncer()
    var notifier: any Notifier = Listener()
    var weather = RecordingListener()
    let interrupted = Signals<RecordingID>()
    let count: UInt64 = 0

    func connections(of userID: UserID) -> [SubscriberID] { announcer.connections(of: userID) }

    func note(_ event: NumberedEvent, in view: SessionView) {
        announcer.note(event, in: view)
        queue.note(event, in: view)
    }

    func deliver(_ announcements: [Announcement], of promiseID: PromiseID, to subscribers: [SubscriberID]) {
        announcer.deliver(announcements, of: promiseID, to: subscribers)
    }

    func tell(_ userID: UserID, _ notice: Notice) { notifier.tell(userID, notice) }

    func tell(_ userID: UserID, _ outlook: PlaceOutlook, of subject: OutlookSubject) {
        weather.tell(userID, outlook, of: subject)
    }

    func tell(_ subscribers: [SubscriberID], changed outlook: PlaceOutlook, of promiseID: PromiseID) {
        weather.tell(subscribers, changed: outlook, of: promiseID)
    }

    func weatherTurned(of promiseID: PromiseID, for users: [UserID]) async {
        await weather.weatherTurned(of: promiseID, for: users)
    }

    func visitsMade(_ visits: [Visit]) {}
    func shared(_ course: ShownCourse, with users: [UserID]) {}
    func interrupted(_ recording: Recording, of userID: UserID) { interrupted.note(recording.id) }
    func exportReady(_ file: StoredFile, for userID: UserID) {}

    func end(
        _ userID: UserID,
        because reason: SignInEnd,
        except kept: SubscriberID?,
        where isEnded: (SignInID) -> Bool
    ) -> Int { 0 }
}
