internal import Foundation
internal import PromisedDomain
internal import PromisedStore

/// The committed rows for the invariants, read by separate SQL rather than by the code under test.
struct CommittedRows: Sendable {
    struct PromiseRow: Hashable, Sendable {
        let ownerID: UserID
        let opensAt: Instant
        let closesAt: Instant
        let isCancelled: Bool
        let isFinal: Bool
        let lastSeq: Int
        /// The copied name of its place.
        var placeName = ""
        var courseID: CourseID?
        var version = 1
        var meetsAt = Story.beginning
    }

    struct Part: Hashable, Sendable {
        let membership: String
        let wasAccepted: Bool
        let isExcused: Bool
    }

    struct ArrivalRow: Hashable, Sendable {
        let stage: String
        let creditedAt: Instant
    }

    struct ResultRow: Hashable, Sendable {
        let userID: UserID
        let outcome: String
        let creditedAt: Instant?
        let seconds: Int
        let rank: Int
        let penalty: Int
    }

    struct VisitRow: Hashable, Sendable {
        let promiseID: PromiseID
        let userID: UserID
    }

    var promises: [PromiseID: PromiseRow] = [:]
    var parts: [PromiseID: [UserID: Part]] = [:]
    var events: [PromiseID: [NumberedEvent]] = [:]
    var arrivals: [PromiseID: [UserID: ArrivalRow]] = [:]
    var results: [PromiseID: [ResultRow]] = [:]
    var together: [PromiseID: [UserPair]] = [:]
    var visits: [VisitRow] = []
    /// The visits from arrivals that their users have deleted.
    var marks: [VisitRow] = []
    var blocks: Set<UserPair> = []
    var deleted: Set<UserID> = []
    /// The users of notifications with an existing cause.
    var notifications: [NotificationID: UserID] = [:]
    var owned = OwnedRows()
}

extension CommittedRows {
    /// `true` if a promise has an invited or accepted user with an account. Without one it has lost its texts and its
    /// place.
    func hasReaders(_ promise: PromiseID) -> Bool {
        (parts[promise] ?? [:]).contains { userID, part in
            !deleted.contains(userID) && ["invited", "accepted"].contains(part.membership)
        }
    }

    /// Reads the tables that have changed.
    mutating func refresh(_ changed: Set<String>, from store: SimulatedStore) throws {
        var tables = changed
        // The rows that are deleted with others.
        if tables.contains("course") { tables.formUnion(["promise", "recording", "course_person"]) }
        if tables.contains("promise") { promises = try CommittedRows.promises(store) }
        if tables.contains("participant") { parts = try CommittedRows.parts(store) }
        if tables.contains("promise_event") { try readEvents(store) }
        if tables.contains("arrival") { arrivals = try CommittedRows.arrivals(store) }
        if tables.contains("came_together") {
            let rows = try store.rows("SELECT promise_id, first_id, second_id FROM came_together")
            together = rows.reduce(into: [:]) { found, row in
                found[CommittedRows.id(row[0]), default: []].append(
                    UserPair(CommittedRows.id(row[1]), CommittedRows.id(row[2]))
                )
            }
        }
        if tables.contains("result_row") { results = try CommittedRows.results(store) }
        if tables.contains("visit") {
            visits = try store.rows("SELECT promise_id, user_id FROM visit WHERE promise_id IS NOT NULL ORDER BY id")
                .map { VisitRow(promiseID: CommittedRows.id($0[0]), userID: CommittedRows.id($0[1])) }
        }
        if tables.contains("visit_mark") {
            marks = try store.rows("SELECT promise_id, user_id FROM visit_mark ORDER BY promise_id, user_id")
                .map { VisitRow(promiseID: CommittedRows.id($0[0]), userID: CommittedRows.id($0[1])) }
        }
        if tables.contains("friendship") {
            let rows = try store.rows("SELECT first, second FROM friendship WHERE first_blocks OR second_blocks")
            blocks = Set(rows.map { UserPair(CommittedRows.id($0[0]), CommittedRows.id($0[1])) })
        }
        if tables.contains("user") {
            let rows = try store.rows("SELECT id FROM user WHERE deleting_at IS NOT NULL OR deleted_at IS NOT NULL")
            deleted = Set(rows.map { CommittedRows.id($0[0]) })
        }
        if !tables.isDisjoint(with: CommittedRows.noticeTables) {
            let lasting = "SELECT id, user_id FROM notification WHERE \(NotificationCause.lasts)"
            notifications = try store.rows(lasting).reduce(into: [:]) { found, row in
                found[CommittedRows.id(row[0])] = CommittedRows.id(row[1])
            }
        }
        try owned.refresh(tables, from: store)
    }

    /// The tables that determine notifications: their own, and those of their causes.
    private static let noticeTables: Set<String> = [
        "notification", "user", "friendship", "participant", "course", "course_person",
    ]

    static let tables = OwnedRows.tables.union([
        "promise", "participant", "promise_event", "arrival", "came_together", "result_row", "visit", "visit_mark",
        "friendship",
        "user", "notification",
    ])

    private static func promises(_ store: SimulatedStore) throws -> [PromiseID: PromiseRow] {
        let rows = try store.rows(
            """
            SELECT id, owner_id, opens_at, closes_at, cancelled_at IS NOT NULL, mark = 5, last_seq, place_name,
                course_id, version, meets_at
            FROM promise
            """
        )
        return rows.reduce(into: [:]) { promises, row in
            promises[id(row[0])] = PromiseRow(
                ownerID: id(row[1]),
                opensAt: instant(row[2]),
                closesAt: instant(row[3]),
                isCancelled: row[4] == "1",
                isFinal: row[5] == "1",
                lastSeq: number(row[6]),
                placeName: row[7],
                courseID: row[8].isEmpty ? nil : id(row[8]),
                version: number(row[9]),
                meetsAt: instant(row[10])
            )
        }
    }

    private static func parts(_ store: SimulatedStore) throws -> [PromiseID: [UserID: Part]] {
        let rows = try store.rows(
            """
            SELECT promise_id, user_id, membership, accepted_at IS NOT NULL, excused_reason IS NOT NULL
            FROM participant
            """
        )
        return rows.reduce(into: [:]) { parts, row in
            let part = Part(membership: row[2], wasAccepted: row[3] == "1", isExcused: row[4] == "1")
            parts[id(row[0]), default: [:]][id(row[1])] = part
        }
    }

    /// Decodes only new events; a check of the number proves that stored ones stay.
    private mutating func readEvents(_ store: SimulatedStore) throws {
        for promise in promises.keys.sorted() {
            let known = events[promise]?.count ?? 0
            let rows = try store.rows(
                """
                SELECT seq, at, body FROM promise_event WHERE promise_id = x'\(hex(promise))'
                ORDER BY seq LIMIT -1 OFFSET \(known)
                """
            )
            for row in rows {
                let event = try JSONDecoder().decode(PromiseEvent.self, from: Data(row[2].utf8))
                let numbered = NumberedEvent(
                    seq: CommittedRows.number(row[0]),
                    at: CommittedRows.instant(row[1]),
                    event: event
                )
                events[promise, default: []].append(numbered)
            }
        }
    }

    private static func arrivals(_ store: SimulatedStore) throws -> [PromiseID: [UserID: ArrivalRow]] {
        try store.rows("SELECT promise_id, user_id, stage, credited_at FROM arrival").reduce(into: [:]) { found, row in
            let arrival = ArrivalRow(stage: row[2], creditedAt: instant(row[3]))
            found[id(row[0]), default: [:]][id(row[1])] = arrival
        }
    }

    private static func results(_ store: SimulatedStore) throws -> [PromiseID: [ResultRow]] {
        let rows = try store.rows(
            """
            SELECT promise_id, user_id, outcome, credited_at, seconds_from_meeting, rank, penalty_owed
            FROM result_row ORDER BY promise_id, number
            """
        )
        return rows.reduce(into: [:]) { results, row in
            let result = ResultRow(
                userID: id(row[1]),
                outcome: row[2],
                creditedAt: row[3].isEmpty ? nil : instant(row[3]),
                seconds: number(row[4]),
                rank: number(row[5]),
                penalty: number(row[6])
            )
            results[id(row[0]), default: []].append(result)
        }
    }

    static func number(_ text: String) -> Int { Int(text) ?? 0 }
    static func instant(_ text: String) -> Instant { Instant(milliseconds: Int64(text) ?? 0) }

    /// The id that a column holds.
    static func id<Subject>(_ hex: String) -> ID<Subject> {
        ID(high: UInt64(hex.prefix(16), radix: 16) ?? 0, low: UInt64(hex.suffix(16), radix: 16) ?? 0)
    }
}

private func hex(_ id: PromiseID) -> String { id.description.filter { $0 != "-" } }
