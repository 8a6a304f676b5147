package import PromisedDomain

/// The part of a promise on which its weather depends.
package struct Meeting: Hashable, Sendable {
    package let promiseID: PromiseID
    package let ownerID: UserID
    package let meetsAt: Instant
    package let coordinate: Coordinate

    package init(promiseID: PromiseID, ownerID: UserID, meetsAt: Instant, coordinate: Coordinate) {
        self.promiseID = promiseID
        self.ownerID = ownerID
        self.meetsAt = meetsAt
        self.coordinate = coordinate
    }
}

extension WeatherStore {
    /// The promises that meet within a span (excluding its end) and are not cancelled, ascending by meeting time and
    /// id. Index `promise_by_meeting`.
    package func meetings(in span: Range<Instant>) async throws(StoreError) -> [Meeting] {
        try await read { db in
            try db.rows(MeetingQuery.within, [span.lowerBound, span.upperBound]).map { row in
                Meeting(
                    promiseID: try row.value("id"),
                    ownerID: try row.value("owner_id"),
                    meetsAt: try row.value("meets_at"),
                    coordinate: Coordinate(
                        latitude: try row.value("latitude"),
                        longitude: try row.value("longitude")
                    )
                )
            }
        }
    }

    /// The first meeting time at or after an instant of a promise that is not cancelled; nil if there is none. Index
    /// `promise_by_meeting`.
    package func nextMeeting(from instant: Instant) async throws(StoreError) -> Instant? {
        try await read { db in try db.row(MeetingQuery.next, [instant]).map { try $0.value("meets_at") } }
    }

    /// Records that the weather of a promise turned. Primary key.
    ///
    /// - Returns: `true` the first time: the caller notifies the participants. `false` later, also after a restart and
    ///   on other nodes.
    /// - Throws: ``StoreError/broken(_:)`` if the promise does not exist.
    package func noteWeatherTurn(of promise: PromiseID, at now: Instant) async throws(StoreError) -> Bool {
        try await write { db in
            try db.row(
                """
                INSERT INTO weather_turn (promise_id, at) VALUES (?, ?) ON CONFLICT (promise_id) DO NOTHING RETURNING 1
                """,
                [promise, now]
            ) != nil
        }
    }
}

/// Queries of promises by meeting time; both read the index `promise_by_meeting`.
enum MeetingQuery {
    static let within = """
        SELECT id, owner_id, meets_at, latitude, longitude FROM promise INDEXED BY promise_by_meeting
        WHERE meets_at >= ? AND meets_at < ? AND cancelled_at IS NULL ORDER BY meets_at, id
        """

    static let next = """
        SELECT meets_at FROM promise INDEXED BY promise_by_meeting
        WHERE meets_at >= ? AND cancelled_at IS NULL ORDER BY meets_at LIMIT 1
        """
}
