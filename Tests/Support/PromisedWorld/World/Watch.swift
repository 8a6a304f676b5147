internal import PromisedApplication
internal import PromisedDomain
internal import PromisedPlaces
internal import PromisedStore

/// Checks the invariants after every commit and every output of a server.
struct Watch: Sendable {
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
        /// The number of requests to end each standing when the request arrived.
        var endings: [Standing: Int] = [:]
        /// The statistics that the user may receive.
        var statistics: Set<Statistics> = []
    }

    private(set) var ledger = Ledger()
    private var arrivals: [PromiseID: ArrivalCheck] = [:]
    private var standings: Set<Standing> = []
    private var endings: [Standing: Int] = [:]
    private var asked: [RequestKey: Asked] = [:]
    private(set) var errands = ErrandWatch()
    private var exports: ExportWatch
    private var outlooks: OutlookWatch
    private var notices = NoticeWatch()
    private(set) var checks = 0

    /// Creates the watch over a world in which nothing has happened.
    init(people: Int, shelf: VaultShelf, sky: SimulatedSky) {
        exports = ExportWatch(people: people) { shelf.files[$0] }
        outlooks = OutlookWatch { sky.hasTold($0) }
    }

    // MARK: - Commits

    /// Reads the tables that have changed and checks them.
    mutating func noteCommit(_ tables: Set<String>, in store: SimulatedStore, at now: Instant) throws {
        let before = ledger
        try ledger.refresh(tables, from: store)
        checks += 1
        for (id, promise) in ledger.promises.sorted(by: { $0.key < $1.key }) {
            let events = ledger.events[id] ?? []
            try EventCheck.check(events, lastSeq: promise.lastSeq)
            try arrivals[id, default: ArrivalCheck()].follow(events)
            try arrivals[id]?.compare(with: ledger.arrivals[id] ?? [:])
            try ResultCheck.check(ledger, of: id)
        }
        try ResultCheck.compare(before, with: ledger)
        try errands.noteCommit(before, ledger, at: now)
        try exports.noteCommit(before, ledger)
        if tables.contains("participant") { outlooks.noteCommit(ledger, at: now) }
        if tables.contains("notification") { notices.noteCommit(ledger) }
        guard before.results != ledger.results else { return }
        for (key, var waiting) in asked {
            guard let userID = waiting.statistics.first?.userID else { continue }
            waiting.statistics.insert(ResultCheck.statistics(of: userID, in: ledger))
            asked[key] = waiting
        }
    }

    /// Checks an import that has ended. Throws if its rows differ from the directory's.
    mutating func noteLoaded(_ loaded: LoadedPlaces) throws(Breach) {
        checks += 1
        try LoadCheck.check(loaded, in: ledger.belongings)
    }

    // MARK: - Requests and answers

    /// Records the arrival of a request at the server.
    mutating func noteArrival(_ request: Request, of userID: UserID) {
        var facts = Asked()
        let key = RequestKey(connection: request.connection, number: request.number)
        switch request.ask {
        case .unblock(let other): end(Standing(userID: userID, kind: .block(other)))
        case .share(let id, on: true): end(Standing(userID: userID, kind: .pause(id)))
        case .erase: standings = standings.filter { $0.userID != userID && $0.kind != .block(userID) }
        case .lookBack: facts.statistics = [ResultCheck.statistics(of: userID, in: ledger)]
        case .errand(let errand):
            if case .mute(false) = errand { end(Standing(userID: userID, kind: .mute)) }
            if case .inbox = errand { notices.noteArrival(key, of: userID, in: ledger) }
            if case .carry(_, let course) = errand { end(Standing(userID: userID, kind: .gone(course))) }
            errands.noteArrival(errand, key, of: userID, in: ledger)
        default: break
        }
        facts.endings = endings
        asked[key] = facts
    }

    /// Checks the server's answer to a request. Throws if it is wrong.
    mutating func noteAnswer(
        _ answer: Answer,
        to request: Request,
        of userID: UserID,
        at now: Instant
    ) throws(Breach) {
        checks += 1
        let key = RequestKey(connection: request.connection, number: request.number)
        let facts = asked.removeValue(forKey: key)
        try AcknowledgementCheck.check(answer, to: request.ask, of: userID, in: ledger)
        if case .lookedBack(let statistics) = answer, let facts, !facts.statistics.contains(statistics) {
            throw Breach(.statistics, "\(statistics) does not follow from the results")
        }
        if case .subscribed(let id, _, _, _, let shown, let view, _) = answer {
            if !shown.isEmpty { try audience(of: id, at: now).check(shown, of: id, to: userID) }
            if let course = view.promise.courseID, let owner = ledger.promises[id]?.ownerID,
                standings.contains(Standing(userID: owner, kind: .gone(course)))
            {
                throw Breach(.kept, "a promise carries a course that was deleted")
            }
        }
        if case .errand(.outlook(let outlook)) = answer, case .errand(.outlook(let id)) = request.ask {
            try outlooks.check(outlook, of: id, to: userID, at: now)
        }
        switch answer {
        case .errand(.inbox(let ids)): try notices.noteAnswer(ids, key)
        case .errand(.exported(let id, let bytes)): try exports.check(bytes, of: id, to: userID)
        default: break
        }
        if case .errand(let errand) = request.ask {
            try errands.noteAnswer(answer, to: errand, key, of: userID, in: ledger)
        }
        guard case .done = answer else { return }
        switch request.ask {
        case .block(let other): begin(Standing(userID: userID, kind: .block(other)), since: facts)
        case .share(let id, on: false): begin(Standing(userID: userID, kind: .pause(id)), since: facts)
        case .errand(.mute(true)): begin(Standing(userID: userID, kind: .mute), since: facts)
        case .errand(.delete(let id)):
            if !errands.isCarrying(id) { begin(Standing(userID: userID, kind: .gone(id)), since: facts) }
        default: break
        }
    }

    private mutating func end(_ standing: Standing) {
        standings.remove(standing)
        endings[standing, default: 0] += 1
    }

    private mutating func begin(_ standing: Standing, since facts: Asked?) {
        guard let facts, facts.endings[standing] == endings[standing] else { return }
        standings.insert(standing)
    }

    // MARK: - Frames

    /// Checks a frame sent to a user's connection, with the session's state after an event. Throws if it is forbidden.
    mutating func noteFrame(_ frame: Frame, to userID: UserID, in view: SessionView?, at now: Instant) throws(Breach) {
        checks += 1
        switch frame {
        case .answer: break
        case .event(let id, let event):
            try EventCheck.check(told: event, stored: ledger.events[id] ?? [])
            try audience(of: id, at: now).check(event, of: id, to: userID)
            if let view { try RankCheck.check(view) }
        case .positions(let id, let positions, _): try audience(of: id, at: now).check(positions, of: id, to: userID)
        case .passing(let id, let event): try audience(of: id, at: now).check(event, of: id, to: userID)
        case .notice(let notice):
            try audience(of: nil, at: now).check(notice, to: userID)
            guard case .notification(let notification, _, _) = notice else { return }
            try notices.check(notification, to: userID, in: ledger, at: now)
            if standings.contains(Standing(userID: userID, kind: .mute)) {
                throw Breach(.acknowledged, "\(notification.topic.kind) is told although it is switched off")
            }
        case .outlook(.promise(let id), let outlook): try outlooks.check(outlook, of: id, to: userID, at: now)
        case .outlook(.place, _): break
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
        return AudienceCheck(ledger: ledger, now: now, separated: separated, paused: paused)
    }
}
