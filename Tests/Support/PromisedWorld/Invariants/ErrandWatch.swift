internal import PromisedDomain
internal import PromisedJournal
internal import PromisedPlaces
internal import PromisedProtocol

/// The number of a request on its connection.
struct RequestKey: Hashable, Sendable {
    let connection: ConnectionNumber
    let number: Int
}

/// Checks answers to errands, and their later effects.
struct ErrandWatch: Sendable {
    struct Point: Hashable, Sendable {
        let deviceID: String
        let seq: UInt32
    }

    /// The possible answers to a pending request.
    private struct Asked: Sendable {
        let userID: UserID
        var sights: [Sight] = []
        /// Visible at some moment, and at all of them.
        var may: Set<Sight> = []
        var must: Set<Sight> = []
        var isCopy = false
        var place: PlaceID?
        var openings: Set<OpeningState> = []

        mutating func look(_ ledger: Ledger) {
            let visible = Set(sights.filter { ledger.belongings.isVisible($0, to: userID, in: ledger) })
            may.formUnion(visible)
            must.formIntersection(visible)
            guard let hours = place.flatMap({ ledger.belongings.places[$0]?.hours }) else { return }
            openings.insert(hours.contains("off") ? .closed : .open)
        }
    }

    /// Everything whose deletion was ever requested.
    private(set) var wanted: Set<Belonging> = []
    /// The points of each recording whose receipt was acknowledged.
    private(set) var acknowledged: [RecordingID: Set<Point>] = [:]
    private var sent: [RecordingID: Set<Point>] = [:]
    private var courses: [RecordingID: CourseID] = [:]
    private var asked: [RequestKey: Asked] = [:]
    private(set) var copies = CopyWatch()
    /// Pending requests that attach a course to a promise.
    private var carrying: [RequestKey: CourseID] = [:]

    /// Records the arrival of a request at the server.
    mutating func noteArrival(_ ask: ErrandAsk, _ key: RequestKey, of userID: UserID, in ledger: Ledger) {
        switch ask {
        case .discard(let id): wanted.insert(.visit(id))
        case .delete(let id): wanted.insert(.course(id))
        case .drop(let id): wanted.insert(.recording(id))
        case .unfavour(let id): wanted.insert(.favourite(id))
        case .carry(_, let course): carrying[key] = course
        case .append(_, let id, let batch): sent[id, default: []].formUnion(batch.names(batch.points.map(\.fix.seq)))
        case .copy(let id, _):
            copies.noteArrival(of: id, in: ledger)
            var facts = Asked(userID: userID, sights: [.course(id)], must: [.course(id)], isCopy: true)
            facts.look(ledger)
            asked[key] = facts
            noteCopyable(facts)
        case .peek(let sights):
            var facts = Asked(userID: userID, sights: sights, must: Set(sights))
            facts.look(ledger)
            asked[key] = facts
        case .lookUp(let id):
            var facts = Asked(userID: userID, place: id)
            facts.look(ledger)
            asked[key] = facts
        default: break
        }
    }

    /// `true` while a request may attach a course to a promise.
    func isCarrying(_ course: CourseID) -> Bool { carrying.values.contains(course) }

    /// - Throws: an invariant broken by the new rows.
    mutating func noteCommit(_ before: Ledger, _ ledger: Ledger, at now: Instant) throws(Breach) {
        try BelongingCheck.compare(before, with: ledger, wanted: wanted)
        for key in asked.keys {
            asked[key]?.look(ledger)
            if let facts = asked[key], facts.isCopy { noteCopyable(facts) }
        }
        guard before.belongings != ledger.belongings else { return }
        try BelongingCheck.check(ledger, quota: ErrandActs.space.perUser, at: now)
        for (id, recording) in ledger.belongings.recordings {
            // A course also counts the points that its way omits.
            let points = recording.courseID.flatMap { ledger.belongings.courses[$0]?.points } ?? recording.points
            let (least, most) = (acknowledged[id]?.count ?? 0, sent[id]?.count ?? 0)
            guard points >= least, points <= most else {
                throw Breach(.recordings, "\(points) points, of \(most) sent and \(least) acknowledged")
            }
        }
    }

    /// - Throws: an answer that is wrong, or shows hidden data.
    mutating func noteAnswer(
        _ answer: Answer,
        to ask: ErrandAsk,
        _ key: RequestKey,
        of userID: UserID,
        in ledger: Ledger
    ) throws(Breach) {
        let facts = asked.removeValue(forKey: key)
        carrying[key] = nil
        guard case .errand(let answer) = answer else {
            if case .done = answer { try requireGone(ask, of: userID, in: ledger) }
            if case .refused(_, let why) = answer, let facts, facts.isCopy, why.code == "course.not-found",
                !facts.must.isEmpty
            {
                throw Breach(.audience, "somebody inside an audience is refused a copy")
            }
            return
        }
        switch (answer, ask) {
        case (.place(let opening, _), _):
            if let facts, !facts.openings.contains(opening) { throw Breach(.acknowledged, "a place is \(opening)") }
        case (.seen(let sights), _):
            guard let facts else { return }
            guard facts.may.isSuperset(of: sights) else { throw Breach(.audience, "somebody outside it is shown") }
            guard facts.must.isSubset(of: sights) else { throw Breach(.audience, "somebody inside it is refused") }
        case (.recorded(_, let receipt), .append(_, let id, let batch)):
            acknowledged[id, default: []].formUnion(batch.names(receipt.taken))
            let points = ledger.belongings.recordings[id]?.points ?? .max
            if points < acknowledged[id]?.count ?? 0 { throw Breach(.acknowledged, "points are not stored") }
        case (.course(let course, _), .finish(let id)):
            guard courses[id] == nil || courses[id] == course else { throw Breach(.once, "two courses of a recording") }
            courses[id] = course
            try requireStored(answer, of: userID, in: ledger)
        case (.course(let copy, _), .copy(let id, _)):
            try copies.noteMade(copy, of: id, by: userID, in: ledger)
            try requireStored(answer, of: userID, in: ledger)
        default: try requireStored(answer, of: userID, in: ledger)
        }
    }

    private mutating func noteCopyable(_ facts: Asked) {
        for case .course(let id) in facts.may { copies.allow(id, for: facts.userID) }
    }

    // MARK: - Traces

    private func requireStored(_ answer: ErrandAnswer, of userID: UserID, in ledger: Ledger) throws(Breach) {
        let belongings = ledger.belongings
        let isStored =
            switch answer {
            case .visit(let id, let version):
                belongings.visits[id].map { $0.version >= version } ?? wanted.contains(.visit(id))
            case .course(let id, let version):
                belongings.courses[id].map { $0.version >= version } ?? wanted.contains(.course(id))
            case .favourite(let id): belongings.favourites[id] != nil || wanted.contains(.favourite(id))
            case .recording(_, let id): belongings.recordings[id] != nil || isRecordingWanted(id)
            case .upload(_, _, _, let made?): belongings.files[made] != nil || hasLostFiles
            case .upload, .place, .seen, .recorded, .exporting, .exported, .outlook, .inbox: true
            }
        guard isStored || ledger.deleted.contains(userID) else {
            throw Breach(.acknowledged, "\(answer.line) is acknowledged and not stored")
        }
    }

    /// `true` if the deletion of a recording was requested: a deleted course includes its recording.
    private func isRecordingWanted(_ id: RecordingID) -> Bool {
        wanted.contains(.recording(id)) || courses[id].map { wanted.contains(.course($0)) } ?? false
    }

    /// `true` if the deletion of a visit was requested, which includes its picture.
    private var hasLostFiles: Bool {
        wanted.contains { if case .visit = $0 { true } else { false } }
    }

    private func requireGone(_ ask: ErrandAsk, of userID: UserID, in ledger: Ledger) throws(Breach) {
        let belongings = ledger.belongings
        let isGone =
            switch ask {
            case .discard(let id): belongings.visits[id] == nil
            case .delete(let id): belongings.courses[id] == nil
            case .drop(let id): belongings.recordings[id] == nil
            case .unfavour(let id): belongings.favourites[id] == nil
            default: true
            }
        guard isGone else { throw Breach(.acknowledged, "\(ask.name) is acknowledged, and nothing is gone") }
    }
}

extension RecordedBatch {
    /// The points of its device with these numbers.
    fileprivate func names(_ seqs: [UInt32]) -> Set<ErrandWatch.Point> {
        Set(seqs.map { ErrandWatch.Point(deviceID: device.deviceID, seq: $0) })
    }
}
