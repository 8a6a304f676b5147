internal import PromisedDomain
internal import PromisedJournal
internal import PromisedPlaces
internal import PromisedProtocol

/// The number of a request on its connection.
struct RequestKey: Hashable, Sendable {
    let connection: ConnectionNumber
    let number: UInt32
}

/// Checks replies to errands, and their later effects.
struct ErrandWatch: Sendable {
    struct Point: Hashable, Sendable {
        let deviceID: String
        let seq: UInt32
    }

    /// The possible replies to a pending request.
    private struct Asked: Sendable {
        let userID: UserID
        var sight: Sight?
        /// Visible at some moment, and at all of them.
        var may = false
        var must = true
        var place: PlaceID?
        var openings: Set<WireOpening.Value> = []

        mutating func look(_ committed: CommittedRows) {
            if let sight {
                let isVisible = committed.owned.isVisible(sight, to: userID, in: committed)
                (may, must) = (may || isVisible, must && isVisible)
            }
            guard let hours = place.flatMap({ committed.owned.places[$0]?.hours }) else { return }
            openings.insert(hours.contains("off") ? .closed : .open)
        }
    }

    /// Everything whose deletion was ever requested.
    private(set) var wanted: Set<Belonging> = []
    /// The points of each recording whose receipt was acknowledged.
    private(set) var acknowledged: [RecordingID: Set<Point>] = [:]
    private var sent: [RecordingID: Set<Point>] = [:]
    private var devices: [RequestKey: String] = [:]
    private var courses: [RecordingID: CourseID] = [:]
    private var asked: [RequestKey: Asked] = [:]
    private(set) var copies = CopyWatch()
    /// Pending requests for a copy, or to attach a course to a promise.
    private var copying: [RequestKey: CourseID] = [:]
    private var carrying: [RequestKey: CourseID] = [:]

    /// Records the arrival of a request at the server.
    ///
    /// - Parameter device: the id of the user's device.
    mutating func noteArrival(
        _ request: WireRequest,
        _ key: RequestKey,
        of userID: UserID,
        device: String,
        in committed: CommittedRows
    ) {
        switch request {
        case .deleteVisit(let delete): wanted.insert(.visit(delete.visitID.id()))
        case .deleteCourse(let delete): wanted.insert(.course(delete.courseID.id()))
        case .discardRecording(let discard): wanted.insert(.recording(discard.recordingID.id()))
        case .removeFavourite(let remove): wanted.insert(.favourite(remove.favouriteID.id()))
        case .updatePromise(let edit): if !edit.courseID.isEmpty { carrying[key] = edit.courseID.id() }
        case .appendRecording(let append):
            devices[key] = device
            sent[append.recordingID.id(), default: []].formUnion(append.names(append.points.map(\.seq), of: device))
        case .copyCourse(let copy):
            copying[key] = copy.courseID.id()
            copies.noteArrival(of: copy.courseID.id(), in: committed)
        default: break
        }
        var facts = Asked(userID: userID, sight: request.sight)
        if case .getPlace(let get) = request { facts.place = get.placeID.id() }
        guard facts.sight != nil || facts.place != nil else { return }
        facts.look(committed)
        asked[key] = facts
        noteCopyable(facts, key)
    }

    /// `true` while a request may attach a course to a promise.
    func isCarrying(_ course: CourseID) -> Bool { carrying.values.contains(course) }

    /// - Throws: an invariant broken by the new rows.
    mutating func noteCommit(_ before: CommittedRows, _ committed: CommittedRows, at now: Instant) throws(Violation) {
        try BelongingCheck.compare(before, with: committed, wanted: wanted)
        for key in asked.keys {
            asked[key]?.look(committed)
            if let facts = asked[key] { noteCopyable(facts, key) }
        }
        guard before.owned != committed.owned else { return }
        try BelongingCheck.check(committed, quota: ServerSurroundings.space.perUser, at: now)
        for (id, recording) in committed.owned.recordings {
            // A course also counts the points that its way omits.
            let points = recording.courseID.flatMap { committed.owned.courses[$0]?.points } ?? recording.points
            let (least, most) = (acknowledged[id]?.count ?? 0, sent[id]?.count ?? 0)
            guard points >= least, points <= most else {
                throw Violation(.recordings, "\(points) points, of \(most) sent and \(least) acknowledged")
            }
        }
    }

    /// - Throws: a reply that is wrong, or shows hidden data.
    mutating func noteAnswer(
        _ reply: WireContent,
        to request: WireRequest,
        _ key: RequestKey,
        of userID: UserID,
        in committed: CommittedRows
    ) throws(Violation) {
        let (facts, device) = (asked.removeValue(forKey: key), devices.removeValue(forKey: key) ?? "")
        (carrying[key], copying[key]) = (nil, nil)
        if case .error(let error) = reply {
            guard facts?.must == true, facts?.sight != nil, error.code.hasSuffix(".not-found") else { return }
            throw Violation(.audience, "\(request.name): somebody inside an audience is refused")
        }
        if let facts, facts.sight != nil, !facts.may { throw Violation(.audience, "somebody outside it is shown") }
        switch (reply, request) {
        case (.placeDetails(let details), _):
            let opening = details.card.opening
            if let facts, !facts.openings.contains(opening) { throw Violation(.acknowledged, "a place is \(opening)") }
        case (.recorded(let receipt), .appendRecording(let append)):
            let id: RecordingID = append.recordingID.id()
            acknowledged[id, default: []].formUnion(append.names(receipt.taken, of: device))
            let points = committed.owned.recordings[id]?.points ?? .max
            if points < acknowledged[id]?.count ?? 0 { throw Violation(.acknowledged, "points are not stored") }
        case (.course(let course), .finishRecording(let finish)):
            let (id, made): (RecordingID, CourseID) = (finish.recordingID.id(), course.courseID.id())
            guard courses[id] == nil || courses[id] == made else {
                throw Violation(.once, "two courses of a recording")
            }
            courses[id] = made
        case (.course(let course), .copyCourse(let copy)):
            try copies.noteMade(course.courseID.id(), of: copy.courseID.id(), by: userID, in: committed)
        default: break
        }
        guard !isStored(reply, request, in: committed), !committed.deleted.contains(userID) else { return }
        throw Violation(.acknowledged, "\(request.name) is acknowledged and not stored")
    }

    private mutating func noteCopyable(_ facts: Asked, _ key: RequestKey) {
        if facts.may, let id = copying[key] { copies.allow(id, for: facts.userID) }
    }

    // MARK: - Traces

    private func isStored(_ reply: WireContent, _ request: WireRequest, in committed: CommittedRows) -> Bool {
        let owned = committed.owned
        switch (request, reply) {
        case (.createVisit, .visit(let visit)), (.updateVisit, .visit(let visit)):
            let id: VisitID = visit.visitID.id()
            return owned.visits[id].map { $0.version >= visit.version } ?? wanted.contains(.visit(id))
        case (.saveCourse, .course(let course)), (.shareCourse, .course(let course)),
            (.finishRecording, .course(let course)), (.copyCourse, .course(let course)):
            let id: CourseID = course.courseID.id()
            return owned.courses[id].map { $0.version >= course.version } ?? wanted.contains(.course(id))
        case (.addFavourite, .favourite(let favourite)):
            let id: FavouriteID = favourite.favouriteID.id()
            return owned.favourites[id] != nil || wanted.contains(.favourite(id))
        case (.startRecording, .recording(let recording)):
            let id: RecordingID = recording.recordingID.id()
            return owned.recordings[id] != nil || isRecordingWanted(id)
        case (_, .upload(let upload)):
            return !upload.hasFile || owned.files[upload.file.fileID.id()] != nil || hasLostFiles
        case (.deleteVisit(let delete), _): return owned.visits[delete.visitID.id()] == nil
        case (.deleteCourse(let delete), _): return owned.courses[delete.courseID.id()] == nil
        case (.discardRecording(let discard), _): return owned.recordings[discard.recordingID.id()] == nil
        case (.removeFavourite(let remove), _): return owned.favourites[remove.favouriteID.id()] == nil
        default: return true
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
}

extension WireRequest {
    /// The item with an audience that the request reads.
    fileprivate var sight: Sight? {
        switch self {
        case .getVisit(let get): .visit(get.visitID.id())
        case .getCourse(let get): .course(get.courseID.id())
        case .getTrack(let get): .course(get.courseID.id())
        case .copyCourse(let copy): .course(copy.courseID.id())
        case .readFile(let read): .file(read.fileID.id())
        default: nil
        }
    }
}

extension WireAppendRecording {
    /// The points of a device with these numbers.
    fileprivate func names(_ seqs: [UInt32], of device: String) -> Set<ErrandWatch.Point> {
        Set(seqs.map { ErrandWatch.Point(deviceID: device, seq: $0) })
    }
}
