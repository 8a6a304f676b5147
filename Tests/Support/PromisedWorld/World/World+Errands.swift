internal import PromisedDomain
internal import PromisedJournal
internal import PromisedPlaces
internal import PromisedProtocol
internal import PromisedWire
internal import SwiftProtobuf

// Errands: acts of people and phones on places, visits, courses and files.
extension World {
    /// Begins a planned errand, if its objects exist.
    func go(on errand: Errand) {
        switch errand {
        case .lookUp, .favour, .unfavour, .relocate: visitPlace(errand)
        case .alter, .remove, .load:
            guard let directory = process.server?.directory else { return }
            Task { await directory.operate(errand) }
        case .note, .edit, .discard: writeDiary(errand)
        case .keepWay, .share, .delete, .carry, .copy: keepCourse(errand)
        case .record, .finish, .drop: record(errand)
        case .upload(let phone, let file, let bytes, let isPicture, let lies):
            let person = story.phones[phone].person
            let upload =
                clients[phone].luggage.uploads[file]
                ?? SimulatedUpload(number: file, size: bytes, isPicture: isPicture, lies: lies, of: person)
            clients[phone].luggage.uploads[file] = upload
            if !clients[phone].isSending(upload) { ask(upload.beginning, by: phone) }
        case .peek(let by, let person): for request in peeks(at: Fixtures.user(person)) { ask(request, of: by) }
        case .export(let by): ask(.exportMyData(WireExportMyData()), of: by)
        case .mute(let by, let isOn):
            let all = WireNotificationKind.Value.allCases.filter { $0 != .unspecified }
            ask(.updateNotificationSettings(.with { $0.off = isOn ? all : [] }), of: by)
        case .inbox(let by): ask(.listNotifications(.with { $0.limit = 100 }), of: by)
        case .outlook(let promise, let by):
            guard let id = promises[promise] else { return }
            ask(.getOutlook(.with { $0.promiseID = id.wireText }), of: by)
        }
    }

    private func visitPlace(_ errand: Errand) {
        switch errand {
        case .lookUp(let by, let place): ask(.getPlace(.with { $0.placeID = Fixtures.place(place).wireText }), of: by)
        case .favour(let by, let place):
            var favourite = WireAddFavourite()
            favourite.key = "favourite-\(place.map { "\($0)" } ?? "own")"
            if let place { favourite.placeID = Fixtures.place(place).wireText }
            if place == nil { favourite.place = Self.place(nil, of: by) }
            ask(.addFavourite(favourite), of: by)
        case .unfavour(let by):
            let mine = owned.favourites.filter { $0.value == Fixtures.user(by) }.keys.min()
            if let mine { ask(.removeFavourite(.with { $0.favouriteID = mine.wireText }), of: by) }
        case .relocate(let promise, let by, let place):
            if let id = promises[promise] { edit(id, by: by) { $0.place = Self.place(place, of: by) } }
        default: preconditionFailure("No errand about a place: \(errand)")
        }
    }

    private func writeDiary(_ errand: Errand) {
        switch errand {
        case .note(let visit, let by, let place, let picture):
            let made = picture.flatMap { picture in
                clients.lazy.filter { $0.userID == Fixtures.user(by) }
                    .compactMap { $0.luggage.uploads[picture]?.file }.first
            }
            let note = WireCreateVisit.with {
                ($0.key, $0.title, $0.place) = ("visit-\(visit)", Fixtures.token(by), Self.place(place, of: by))
                $0.visitedAt = WireTimestamp(now)
                if let made { $0.photos = [.with { ($0.fileID, $0.caption) = (made.wireText, Fixtures.token(by)) }] }
            }
            ask(.createVisit(note), of: by)
        case .edit(let by, let order, let audience):
            guard let (id, visit) = visit(order, of: by) else { return }
            let friend = (0..<story.people).first { $0 != by }.map(Fixtures.user)
            let companion = visit.companions.isEmpty ? friend : nil
            let edit = WireUpdateVisit.with {
                ($0.visitID, $0.version) = (id.wireText, UInt32(visit.version))
                ($0.audience, $0.memo) = (audience.ofVisit, Fixtures.token(by))
                if let companion { $0.companions = [.with { $0.user.userID = companion.wireText }] }
            }
            ask(.updateVisit(edit), of: by)
        case .discard(let by, let order):
            if let (id, _) = visit(order, of: by) { ask(.deleteVisit(.with { $0.visitID = id.wireText }), of: by) }
        default: preconditionFailure("No errand about a visit: \(errand)")
        }
    }

    private func keepCourse(_ errand: Errand) {
        switch errand {
        case .keepWay(let promise, let by):
            guard let id = promises[promise] else { return }
            ask(.saveCourse(.with { ($0.promiseID, $0.key) = (id.wireText, "way-\(promise)") }), of: by)
        case .share(let by, let order, let audience, let person):
            guard let id = course(order, of: by) else { return }
            let chosen = audience == .chosen && person != by ? Fixtures.user(person) : nil
            let share = WireShareCourse.with {
                ($0.courseID, $0.audience) = (id.wireText, audience.ofCourse(chosen))
                if let chosen { $0.userIds = [chosen.wireText] }
            }
            ask(.shareCourse(share), of: by)
        case .delete(let by, let order):
            if let id = course(order, of: by) { ask(.deleteCourse(.with { $0.courseID = id.wireText }), of: by) }
        case .copy(let by, let person, let order):
            guard let id = course(order, of: person) else { return }
            ask(.copyCourse(.with { ($0.courseID, $0.key) = (id.wireText, "copy-\(id)") }), of: by)
        case .carry(let promise, let by, let order):
            guard let id = promises[promise], let course = course(order, of: by) else { return }
            edit(id, by: by) { $0.courseID = course.wireText }
        default: preconditionFailure("No errand about a course: \(errand)")
        }
    }

    // MARK: - Recordings

    private func record(_ errand: Errand) {
        switch errand {
        case .record(let phone, let number, let batches, let finishes):
            guard clients[phone].luggage.recordings[number] == nil else { return }
            let recording = SimulatedRecording(number: number, batches: batches, finishes: finishes, phone: phone)
            clients[phone].luggage.recordings[number] = recording
            ask(.startRecording(.with { ($0.key, $0.activity) = (recording.key, .walk) }), by: phone)
            queue.add(.point(phone: phone, recording: number), at: now + SimulatedRecording.interval)
        case .finish(let phone, let number): finish(clients[phone].luggage.recordings[number], of: phone)
        case .drop(let phone, let number):
            guard let id = clients[phone].luggage.recordings[number]?.id else { return }
            ask(.discardRecording(.with { $0.recordingID = id.wireText }), by: phone)
        default: preconditionFailure("No errand about a recording: \(errand)")
        }
    }

    private func finish(_ recording: SimulatedRecording?, of phone: Int) {
        guard let id = recording?.id else { return }
        ask(.finishRecording(.with { $0.recordingID = id.wireText }), by: phone)
    }

    /// Makes the next points of a phone's recording and sends the pending ones.
    func locate(_ phone: Int, recording number: Int) {
        guard var recording = clients[phone].luggage.recordings[number], !recording.isOver else { return }
        recording.move({ [phone = clients[phone].phone] in phone.readings(at: $0) }, at: now)
        clients[phone].luggage.recordings[number] = recording
        send(recording, of: phone)
        if !recording.isOver {
            return queue.add(.point(phone: phone, recording: number), at: now + SimulatedRecording.interval)
        }
        if recording.finishes { finish(recording, of: phone) }
    }

    /// Sends the pending points, unless others are in transit.
    private func send(_ recording: SimulatedRecording?, of phone: Int) {
        guard let id = recording?.id, !clients[phone].isAppending(to: id),
            let append = recording?.append(at: clients[phone].phone.readings(at: now))
        else { return }
        ask(append, by: phone)
    }

    // MARK: - Replies

    /// Processes the reply to an errand.
    func takeErrand(_ reply: WireContent, to request: WireRequest, by phone: Int) throws {
        switch (reply, request) {
        case (.recording(let reply), .startRecording(let start)):
            for (number, recording) in clients[phone].luggage.recordings where recording.key == start.key {
                clients[phone].luggage.recordings[number]?.begin(as: reply.recordingID.id())
                send(clients[phone].luggage.recordings[number], of: phone)
            }
        case (.recorded(let receipt), .appendRecording(let append)):
            guard let number = clients[phone].luggage.recording(append.recordingID.id()) else { return }
            clients[phone].luggage.recordings[number]?.forget(receipt.taken + receipt.rejected.map(\.seq))
            let recording = clients[phone].luggage.recordings[number]
            if recording?.isOver == true { send(recording, of: phone) }
        case (.upload(let reply), _):
            guard let number = clients[phone].luggage.upload({ $0.isMeant(by: request) }),
                let next = try clients[phone].luggage.uploads[number]?.proceed(after: reply),
                clients[phone].luggage.uploads[number].map(clients[phone].isSending) == false
            else { return }
            ask(next, by: phone)
        case (.export(let export), _):
            if export.hasFile { read(export.file.fileID, from: 0, by: phone) }
        case (.fileChunk(let chunk), .readFile(let read)):
            let end = chunk.offset + Double(chunk.data.count)
            if end < chunk.bytes, !chunk.data.isEmpty, read.limit == Self.chunkOfArchive {
                self.read(chunk.fileID, from: end, by: phone)
            }
        case (.notifications(let list), _):
            let ids = list.notifications.map(\.notificationID)
            if !ids.isEmpty { ask(.readNotifications(.with { $0.notificationIds = ids }), by: phone) }
        default: break
        }
    }

    private static let chunkOfArchive: Int32 = 4_000

    private func read(_ fileID: String, from offset: Double, by phone: Int) {
        ask(.readFile(.with { ($0.fileID, $0.offset, $0.limit) = (fileID, offset, Self.chunkOfArchive) }), by: phone)
    }

    /// Processes a refused errand: closed recordings end, and a file with a wrong offset continues at the server's.
    func takeRefusal(of request: WireRequest, _ error: WireErrorReply, by phone: Int) {
        guard !error.isTransient else { return }
        switch request {
        case .appendRecording(let append):
            guard let number = clients[phone].luggage.recording(append.recordingID.id()) else { return }
            clients[phone].luggage.recordings[number]?.end()
        case .putChunk:
            guard let number = clients[phone].luggage.upload({ $0.isMeant(by: request) }),
                clients[phone].luggage.uploads[number]?.resume() == true,
                let upload = clients[phone].luggage.uploads[number], !clients[phone].isSending(upload)
            else { return }
            ask(upload.beginning, by: phone)
        default: break
        }
    }

    // MARK: - Parts

    private var owned: OwnedRows { checker.committed.owned }

    private func visit(_ order: Int, of person: Int) -> (VisitID, OwnedRows.VisitRow)? {
        let mine = owned.visits.filter { $0.value.userID == Fixtures.user(person) }.sorted { $0.key < $1.key }
        return mine.indices.contains(order) ? (mine[order].key, mine[order].value) : nil
    }

    private func course(_ order: Int, of person: Int) -> CourseID? {
        let mine = owned.courses.filter { $0.value.userID == Fixtures.user(person) }.keys.sorted()
        return mine.indices.contains(order) ? mine[order] : nil
    }

    /// The requests for all items of a user by their ids.
    private func peeks(at userID: UserID) -> [WireRequest] {
        let visits = owned.visits.filter { $0.value.userID == userID }.keys.sorted().map(\.wireText)
        let courses = owned.courses.filter { $0.value.userID == userID }.keys.sorted().map(\.wireText)
        let files = owned.files.filter { $0.value.userID == userID }.keys.sorted().map(\.wireText)
        return visits.map { id in .getVisit(.with { $0.visitID = id }) }
            + courses.flatMap { id -> [WireRequest] in
                [.getCourse(.with { $0.courseID = id }), .getTrack(.with { $0.courseID = id })]
            }
            + files.map { id in .readFile(.with { ($0.fileID, $0.limit) = (id, 1_000) }) }
    }

    /// A place of the directory, or one described by a person.
    private static func place(_ number: Int?, of person: Int) -> WirePlace {
        guard let number else {
            return WirePlace(Place(name: "At \(Fixtures.token(person))'s", coordinate: Story.place))
        }
        return WirePlace(Place(name: "", coordinate: Story.place, placeID: Fixtures.place(number)))
    }
}

extension Errand.Watchers {
    fileprivate var ofVisit: WireAudience.Value {
        switch self {
        case .nobody, .chosen: .`private`
        case .companions: .companions
        case .friends: .friends
        }
    }

    /// The audience of a course, for a chosen person if there is one.
    fileprivate func ofCourse(_ chosen: UserID?) -> WireAudience.Value {
        switch self {
        case .nobody, .companions: .`private`
        case .friends: .friends
        case .chosen: chosen == nil ? .`private` : .people
        }
    }
}
