internal import Logging
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedOutside
internal import PromisedPlaces
internal import PromisedStore

/// Notifies participants when a new forecast changes the weather at their meeting time (``WeatherWatch``).
struct WeatherChanges: Sendable {
    let sessions: PromiseSessions
    let forecasts: WeatherService
    let places: any OutlookPlaces
    let news: any News
    let notifications: NotificationQueue
    let clock: any WallClock
    let log: Logger

    /// Checks the promises of a fetched cell.
    func follow(_ update: WeatherUpdate) async {
        guard update.isFetched, let record = update.after else { return }
        let now = record.fetchedAt
        do {
            let span = now..<(now + WeatherWatch.changeLead + .milliseconds(1))
            for meeting in try await sessions.store.weather.meetings(in: span)
            where update.key.source.cell(at: meeting.coordinate) == update.key.cell {
                let news = WeatherWatch.news(
                    from: update.before.flatMap { WeatherOutlook.Report($0, at: meeting.meetsAt)?.hour },
                    to: WeatherOutlook.Report(record, at: meeting.meetsAt)?.hour,
                    meetingAt: meeting.meetsAt,
                    now: now,
                    hasTurned: false
                )
                if news.isChange || news.isTurn { try await tell(news, of: meeting, in: record) }
            }
        } catch {
            log.error("Changes of the weather could not be told", metadata: ["error": "\(error)"])
        }
    }

    private func tell(_ news: WeatherWatch.News, of meeting: Meeting, in record: WeatherRecord) async throws {
        let weather = await forecasts.outlook(
            at: meeting.coordinate,
            instant: meeting.meetsAt,
            purpose: .soon,
            payer: .owner(meeting.ownerID),
            waits: false
        )
        // Ignores a record of a provider other than the one in use.
        guard weather.report?.source == record.source else { return }
        let id = meeting.promiseID
        if news.isTurn, try await sessions.store.weather.noteWeatherTurn(of: id, at: clock.now) {
            notifications.raise(.weatherTurned(id), for: try await people(of: id), isOnce: true)
        }
        if news.isChange { try await tellSubscribers(of: id, weather) }
    }

    private func people(of id: PromiseID) async throws -> [UserID] {
        let participants = try await sessions.store.sessions.snapshot(of: id, withFixes: false)?.participants ?? []
        return participants.filter { $0.membership == .accepted }.map(\.userID)
    }

    /// A promise without a live session has no subscribers.
    private func tellSubscribers(of id: PromiseID, _ weather: WeatherOutlook) async throws {
        guard let session = await sessions.registry.liveSession(of: id) else { return }
        let subscribers = await session.listeners()
        guard !subscribers.isEmpty else { return }
        let promise = try await sessions.wholeView(of: id).promise
        let outlook = PlaceOutlook(at: promise.meetsAt, await promise.opening(in: places), weather)
        news.tell(.weatherChanged(outlook, of: id), to: .subscribers(subscribers))
    }
}
