internal import Logging
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedOutside
internal import PromisedStore

/// Has the weather of promises fetched ahead of their meeting times (``WeatherWatch/leads``), and deletes old records.
///
/// One timer over the next meeting times in the store: a promise of next month costs a row in an index until then.
actor WeatherPrefetch {
    /// The longest time between two looks into the store.
    static let longestPause = TimeSpan.hours(1)
    /// The pause after a failure of the store.
    static let pauseAfterFailure = TimeSpan.minutes(1)
    /// How long records are kept after they were fetched.
    static let retention = TimeSpan.days(1)

    private let store: Store
    private let forecasts: WeatherService
    private let clock: any WallClock
    private let log: Logger
    /// The instants before this were looked at.
    private var from: Instant
    private var nextLook: Instant
    private var sleeper: Task<Void, Never>?

    /// A timer that also looks at the instants since `lookback` ago: the server may have been down. Records younger than
    /// that are not fetched again.
    init(store: Store, forecasts: WeatherService, clock: any WallClock, lookback: TimeSpan, log: Logger) {
        self.store = store
        self.forecasts = forecasts
        self.clock = clock
        self.log = log
        from = clock.now - lookback
        nextLook = clock.now
    }

    /// Notes the meeting time of a promise that may be new or moved.
    func noteMeeting(at meetsAt: Instant) {
        guard let instant = WeatherWatch.nextPrefetch(forMeetingAt: meetsAt, after: clock.now), instant < nextLook
        else { return }
        nextLook = instant
        sleeper?.cancel()
    }

    /// Fetches ahead until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            await sleep()
            let now = clock.now
            guard nextLook <= now else { continue }
            // A promise that is made meanwhile and is due earlier moves this back.
            nextLook = now + WeatherPrefetch.longestPause
            do throws(StoreError) {
                try await look(at: now)
            } catch {
                log.error("Weather could not be fetched ahead", metadata: ["error": "\(error)"])
                nextLook = min(nextLook, now + WeatherPrefetch.pauseAfterFailure)
            }
        }
    }

    private func look(at now: Instant) async throws(StoreError) {
        let end = now + .milliseconds(1)
        for lead in WeatherWatch.leads {
            let due = try await store.meetings(in: (from + lead)..<(end + lead))
            for meeting in WeatherPrefetch.onePerPoint(due) {
                await forecasts.prefetch(at: meeting.coordinate, meetingAt: meeting.meetsAt, owner: meeting.ownerID)
            }
        }
        from = end
        for lead in WeatherWatch.leads {
            guard let meeting = try await store.nextMeeting(from: end + lead) else { continue }
            nextLook = min(nextLook, meeting - lead)
        }
        try await store.sweepWeather(before: now - WeatherPrefetch.retention)
    }

    /// The earliest of each owner's meetings at each point, ascending by meeting time: the share of one owner may be spent.
    private static func onePerPoint(_ meetings: [Meeting]) -> [Meeting] {
        var points: [UserID: Set<Coordinate>] = [:]
        return meetings.filter { points[$0.ownerID, default: []].insert($0.coordinate).inserted }
    }

    private func sleep() async {
        // Ended by `noteMeeting`, by the cancellation below, or by the clock; awaited right here.
        let sleeper = Task { [clock, nextLook] in
            do {
                try await clock.sleep(until: nextLook)
            } catch {
                // An earlier instant was noted, or the server stops: the loop checks which.
            }
        }
        self.sleeper = sleeper
        await withTaskCancellationHandler {
            await sleeper.value
        } onCancel: {
            sleeper.cancel()
        }
        self.sleeper = nil
    }
}
