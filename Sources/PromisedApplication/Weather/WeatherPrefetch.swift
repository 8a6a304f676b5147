internal import Logging
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedOutside
internal import PromisedPlaces
internal import PromisedStore

/// Fetches the weather of promises before their meeting times (``WeatherWatch/leads``), and deletes old records.
///
/// Uses one timer for the next meeting times in the store: until then, a promise next month costs only an index row.
actor WeatherPrefetch {
    /// The longest time between two queries of the store.
    static let longestPause = TimeSpan.hours(1)
    /// The pause after a store failure.
    static let pauseAfterFailure = TimeSpan.minutes(1)
    /// How long records are kept after their fetch.
    static let retention = TimeSpan.days(1)

    private let store: WeatherStore
    private let forecasts: WeatherService
    private let clock: any WallClock
    private let log: Logger
    /// Meetings before this instant have been handled.
    private var from: Instant
    private var nextLook: Instant
    private var sleeper: Task<Void, Never>?

    /// Starts `lookback` ago, because the server may have been down. More recent records are not fetched again.
    init(_ forecasts: WeatherService, store: some HasWeather, clock: any WallClock, lookback: TimeSpan, log: Logger) {
        self.store = store.weather
        self.forecasts = forecasts
        self.clock = clock
        self.log = log
        from = clock.now - lookback
        nextLook = clock.now
    }

    /// Reports the meeting time of a promise that may be new or moved.
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
            // A promise created meanwhile may be due earlier and resets this.
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

    /// The earliest meeting of each owner at each point, ascending by meeting time: the share of one owner may be used
    /// up.
    private static func onePerPoint(_ meetings: [Meeting]) -> [Meeting] {
        var points: [UserID: Set<Coordinate>] = [:]
        return meetings.filter { points[$0.ownerID, default: []].insert($0.coordinate).inserted }
    }

    private func sleep() async {
        // Cancelled by `noteMeeting`, by the cancellation below, or ended by the clock; awaited right here.
        let sleeper = Task { [clock, nextLook] in
            do {
                try await clock.sleep(until: nextLook)
            } catch {
                // An earlier meeting was reported, or the server stops: the loop checks which.
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
