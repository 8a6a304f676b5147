internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedSettings
internal import PromisedStore
internal import PromisedWire

/// Checks the invariants after every commit and every output of a server.
struct InvariantChecker: Sendable {
    /// The effect of a user's act that a later act may undo: unknown while such a request is pending.
    private struct Standing: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case block(UserID)
            case pause(PromiseID)
            /// The course was deleted.
            case gone(CourseID)
            case mute
        }

        let userID: UserID
        let kind: Kind
    }

    private struct Asked: Sendable {
        let request: WireRequest
        let arrivedAt: Instant
        /// `true` if the connection had a user, or may have had one before the reply.
        let hasUser: Bool
        /// The number of requests to end each standing when the request arrived.
        var endings: [Standing: Int] = [:]
        /// The statistics that the user may receive.
        var statistics: Set<Statistics> = []
    }

    private(set) var committed = CommittedRows()
    private var arrivals: [PromiseID: ArrivalCheck] = [:]
    private var standings: Set<Standing> = []
    private var endings: [Standing: Int] = [:]
    private var asked: [RequestKey: Asked] = [:]
    private(set) var errands = ErrandWatch()
    private var exports: ExportWatch
    private var outlooks: OutlookWatch
    private var notices = NoticeWatch()
    private var senders = SenderCheck()
    private var rates: RateCheck
    private(set) var checks = 0

    /// Creates the checker of a world in which nothing has happened.
    init(over story: Story, amid surroundings: ServerSurroundings) {
        let limits = ServerSettings(story).limits
        rates = RateCheck(perSecond: limits.requestRate, burst: limits.requestBurst)
        exports = ExportWatch(people: story.people) { surroundings.shelf.files[$0] }
        outlooks = OutlookWatch { surroundings.sky.hasTold($0) }
    }

    // MARK: - Commits

    /// Reads the tables that have changed and checks them.
    mutating func noteCommit(_ tables: Set<String>, in store: SimulatedStore, at now: Instant) throws {
        let before = committed
        try committed.refresh(tables, from: store)
        checks += 1
        for (id, promise) in committed.promises.sorted(by: { $0.key < $1.key }) {
            let events = committed.events[id] ?? []
            try EventCheck.check(events, lastSeq: promise.lastSeq)
            try arrivals[id, default: ArrivalCheck()].follow(events)
            try arrivals[id]?.compare(with: committed.arrivals[id] ?? [:])
            try ResultCheck.check(committed, of: id)
        }
        try ResultCheck.compare(before, with: committed)
        try errands.noteCommit(before, committed, at: now)
        try exports.noteCommit(before, committed)
        if tables.contains("participant") { outlooks.noteCommit(committed, at: now) }
        if tables.contains("notification") { notices.noteCommit(committed) }
        guard before.results != committed.results else { return }
        for (key, var waiting) in asked {
            guard let userID = waiting.statistics.first?.userID else { continue }
            waiting.statistics.insert(ResultCheck.statistics(of: userID, in: committed))
            asked[key] = waiting
        }
    }

    /// Checks an import that has ended. Throws if its rows differ from the directory's.
    mutating func noteLoaded(_ loaded: LoadedPlaces) throws(Violation) {
        checks += 1
        try LoadCheck.check(loaded, in: committed.owned)
    }

    // MARK: - Requests and replies

    /// Records the arrival of a request at the server.
    ///
    /// - Parameter device: the id of the user's device.
    mutating func noteArrival(_ message: ClientMessage, of userID: UserID, device: String, at now: Instant) {
        let hasUser = senders.noteArrival(of: message.frame.request, on: message.connection)
        guard let request = message.frame.request else { return }
        var facts = Asked(request: request, arrivedAt: now, hasUser: hasUser)
        let key = RequestKey(connection: message.connection, number: message.frame.id)
        switch request {
        case .unblockUser(let unblock): end(Standing(userID: userID, kind: .block(unblock.userID.id())))
        case .setSharing(let sharing):
            if sharing.on { end(Standing(userID: userID, kind: .pause(sharing.promiseID.id()))) }
        case .deleteAccount: standings = standings.filter { $0.userID != userID && $0.kind != .block(userID) }
        case .getMe: facts.statistics = [ResultCheck.statistics(of: userID, in: committed)]
        case .updateNotificationSettings(let settings):
            if settings.off.isEmpty { end(Standing(userID: userID, kind: .mute)) }
        case .listNotifications: notices.noteArrival(key, of: userID, in: committed)
        case .updatePromise(let edit):
            if !edit.courseID.isEmpty { end(Standing(userID: userID, kind: .gone(edit.courseID.id()))) }
        default: break
        }
        errands.noteArrival(request, key, of: userID, device: device, in: committed)
        facts.endings = endings
        asked[key] = facts
    }

    /// Checks the server's reply to a request. Throws if it is wrong.
    private mutating func noteReply(
        _ reply: WireContent,
        _ key: RequestKey,
        of userID: UserID,
        at now: Instant
    ) throws(Violation) {
        guard let facts = asked.removeValue(forKey: key) else { return }
        let request = facts.request
        try SenderCheck.check(reply, to: userID, hasUser: facts.hasUser)
        try rates.note(reply, on: key.connection, arrivedAt: facts.arrivedAt)
        try AcknowledgementCheck.check(reply, to: request, of: userID, in: committed)
        switch (reply, request) {
        case (.me(let me), _):
            guard facts.statistics.contains(where: { WireStatistics($0) == me.statistics }) else {
                throw Violation(.statistics, "\(me.statistics) does not follow from the results")
            }
        case (.subscribed(let reply), _): if reply.hasSnapshot { try check(reply.snapshot, to: userID, at: now) }
        case (.promise(let reply), _): try RankCheck.check(reply.promise, in: committed)
        case (.outlook(let outlook), .getOutlook(let get)):
            try outlooks.check(outlook, of: get.promiseID.id(), to: userID, at: now)
        case (.notifications(let list), _):
            let ids: [NotificationID] = list.notifications.map { $0.notificationID.id() }
            try notices.noteAnswer(ids, key, isWhole: list.cursor.isEmpty)
        case (.fileChunk(let chunk), _): try exports.check(chunk, to: userID)
        default: break
        }
        try errands.noteAnswer(reply, to: request, key, of: userID, in: committed)
        if !reply.isError { noteSuccess(of: request, facts, by: userID) }
    }

    /// Checks the promise at the beginning of a subscription.
    private func check(_ promise: WirePromise, to userID: UserID, at now: Instant) throws(Violation) {
        let id: PromiseID = promise.promiseID.id()
        let shown: [UserID] = promise.participants.filter(\.hasPosition).map { $0.user.userID.id() }
        if !shown.isEmpty { try audience(of: id, at: now).check(positionsOf: shown, in: id, to: userID) }
        try RankCheck.check(promise, in: committed)
        guard !promise.courseID.isEmpty, let owner = committed.promises[id]?.ownerID else { return }
        guard !standings.contains(Standing(userID: owner, kind: .gone(promise.courseID.id()))) else {
            throw Violation(.kept, "a promise carries a course that was deleted")
        }
    }

    private mutating func noteSuccess(of request: WireRequest, _ facts: Asked, by userID: UserID) {
        switch request {
        case .blockUser(let block): begin(Standing(userID: userID, kind: .block(block.userID.id())), since: facts)
        case .setSharing(let sharing):
            guard !sharing.on else { return }
            begin(Standing(userID: userID, kind: .pause(sharing.promiseID.id())), since: facts)
        case .updateNotificationSettings(let settings):
            if !settings.off.isEmpty { begin(Standing(userID: userID, kind: .mute), since: facts) }
        case .deleteCourse(let delete):
            let id: CourseID = delete.courseID.id()
            if !errands.isCarrying(id) { begin(Standing(userID: userID, kind: .gone(id)), since: facts) }
        default: break
        }
    }

    private mutating func end(_ standing: Standing) {
        standings.remove(standing)
        endings[standing, default: 0] += 1
    }

    private mutating func begin(_ standing: Standing, since facts: Asked) {
        if facts.endings[standing] == endings[standing] { standings.insert(standing) }
    }

    // MARK: - Frames

    /// Checks a frame sent to a connection of a user. Throws if it is forbidden or wrong.
    mutating func noteFrame(
        _ frame: WireServerFrame,
        on connection: ConnectionNumber,
        of userID: UserID,
        at now: Instant
    ) throws(Violation) {
        checks += 1
        switch frame.content {
        case .event(let event): try noteEvent(event, to: userID, at: now)
        case let reply?:
            try noteReply(reply, RequestKey(connection: connection, number: frame.id), of: userID, at: now)
        case nil: throw Violation(.readable, "a frame without content")
        }
    }

    private mutating func noteEvent(_ event: WireEvent, to userID: UserID, at now: Instant) throws(Violation) {
        guard let what = event.what else { throw Violation(.readable, "an event without content") }
        let id: PromiseID = event.promiseID.id()
        if event.seq > 0 {
            try EventCheck.check(told: event, stored: committed.events[id] ?? [])
            try audience(of: id, at: now).check(durableEventOf: id, to: userID)
        } else {
            try audience(of: id, at: now).check(what, in: id, to: userID)
        }
        switch what {
        case .edited(let edited): try RankCheck.check(edited.promise, in: committed)
        case .weatherChanged(let changed): try outlooks.check(changed.outlook, of: id, to: userID, at: now)
        case .outlookReady(let ready):
            guard !ready.promiseID.isEmpty else { return }
            try outlooks.check(ready.outlook, of: ready.promiseID.id(), to: userID, at: now)
        case .notification(let arisen):
            try notices.check(arisen.notification, to: userID, in: committed, at: now)
            if standings.contains(Standing(userID: userID, kind: .mute)) {
                throw Violation(.acknowledged, "\(arisen.notification.kind) is told although it is switched off")
            }
        default: break
        }
    }

    private func audience(of id: PromiseID?, at now: Instant) -> AudienceCheck {
        var separated: Set<UserPair> = []
        var paused: Set<UserID> = []
        for standing in standings {
            switch standing.kind {
            case .block(let other): separated.insert(UserPair(standing.userID, other))
            case .pause(let promise): if promise == id { paused.insert(standing.userID) }
            case .gone, .mute: break
            }
        }
        return AudienceCheck(committed: committed, now: now, separated: separated, paused: paused)
    }
}
