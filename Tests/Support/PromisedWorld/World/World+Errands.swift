internal import PromisedDomain
internal import PromisedJournal

// Errands: acts of people and phones on places, visits, courses and files.
extension World {
    /// Begins a planned errand, if its objects exist.
    func go(on errand: Errand) {
        switch errand {
        case .lookUp, .favour, .unfavour, .relocate: visitPlace(errand)
        case .alter, .remove, .load:
            guard let server = process.server else { return }
            Task { await server.acts.operate(errand) }
        case .note, .edit, .discard: writeDiary(errand)
        case .keepWay, .share, .delete, .carry, .copy: keepCourse(errand)
        case .record, .finish, .drop: record(errand)
        case .upload(let phone, let file, let bytes, let isPicture, let lies):
            let known = clients[phone].uploads[file]
            let person = story.phones[phone].person
            let upload =
                known
                ?? SimulatedUpload(number: file, size: bytes, isPicture: isPicture, lies: lies, of: person)
            clients[phone].uploads[file] = upload
            guard !clients[phone].isSending(file) else { return }
            ask(.errand(.begin(file: file, upload.announcement)), by: phone)
        case .peek(let by, let person): ask(.errand(.peek(sights(of: Cast.user(person)))), of: by)
        case .export(let by): ask(.errand(.export), of: by)
        case .mute(let by, let isOn): ask(.errand(.mute(isOn)), of: by)
        case .inbox(let by): ask(.errand(.inbox), of: by)
        case .outlook(let promise, let by): if let id = promises[promise] { ask(.errand(.outlook(id)), of: by) }
        }
    }

    private func visitPlace(_ errand: Errand) {
        switch errand {
        case .lookUp(let by, let place): ask(.errand(.lookUp(Cast.place(place))), of: by)
        case .favour(let by, let place):
            let key = "favourite-\(place.map { "\($0)" } ?? "own")"
            ask(.errand(.favour(key: key, Self.place(place, of: by))), of: by)
        case .unfavour(let by):
            let mine = belongings.favourites.filter { $0.value == Cast.user(by) }.keys.min()
            if let mine { ask(.errand(.unfavour(mine)), of: by) }
        case .relocate(let promise, let by, let place):
            if let id = promises[promise] { ask(.errand(.relocate(id, Cast.place(place))), of: by) }
        default: preconditionFailure("No errand about a place: \(errand)")
        }
    }

    private func writeDiary(_ errand: Errand) {
        switch errand {
        case .note(let visit, let by, let place, let picture):
            let made = picture.flatMap { picture in
                clients.lazy.filter { $0.userID == Cast.user(by) }.compactMap { $0.uploads[picture]?.file }.first
            }
            ask(.errand(.note(key: "visit-\(visit)", Self.place(place, of: by), at: now, picture: made)), of: by)
        case .edit(let by, let order, let audience):
            guard let (id, visit) = visit(order, of: by) else { return }
            let friend = (0..<story.people).first { $0 != by }.map(Cast.user)
            let companion = visit.companions.isEmpty ? friend : nil
            ask(.errand(.edit(id, version: visit.version, audience.ofVisit, companion: companion)), of: by)
        case .discard(let by, let order):
            if let (id, _) = visit(order, of: by) { ask(.errand(.discard(id)), of: by) }
        default: preconditionFailure("No errand about a visit: \(errand)")
        }
    }

    private func keepCourse(_ errand: Errand) {
        switch errand {
        case .keepWay(let promise, let by):
            if let id = promises[promise] { ask(.errand(.keepWay(id, key: "way-\(promise)")), of: by) }
        case .share(let by, let order, let audience, let person):
            guard let id = course(order, of: by) else { return }
            let chosen = audience == .chosen && person != by ? Cast.user(person) : nil
            ask(.errand(.share(id, audience.ofCourse(chosen), with: chosen)), of: by)
        case .delete(let by, let order):
            if let id = course(order, of: by) { ask(.errand(.delete(id)), of: by) }
        case .copy(let by, let person, let order):
            if let id = course(order, of: person) { ask(.errand(.copy(id, key: "copy-\(id)")), of: by) }
        case .carry(let promise, let by, let order):
            guard let id = promises[promise], let course = course(order, of: by) else { return }
            ask(.errand(.carry(id, course)), of: by)
        default: preconditionFailure("No errand about a course: \(errand)")
        }
    }

    // MARK: - Recordings

    private func record(_ errand: Errand) {
        switch errand {
        case .record(let phone, let number, let batches, let finishes):
            guard clients[phone].recordings[number] == nil else { return }
            clients[phone].recordings[number] = SimulatedRecording(
                number: number,
                batches: batches,
                finishes: finishes,
                phone: phone
            )
            ask(.errand(.start(recording: number, key: "recording-\(number)")), by: phone)
            agenda.add(.point(phone: phone, recording: number), at: now + SimulatedRecording.interval)
        case .finish(let phone, let number):
            if let id = clients[phone].recordings[number]?.id { ask(.errand(.finish(id)), by: phone) }
        case .drop(let phone, let number):
            if let id = clients[phone].recordings[number]?.id { ask(.errand(.drop(id)), by: phone) }
        default: preconditionFailure("No errand about a recording: \(errand)")
        }
    }

    /// Makes the next points of a phone's recording and sends the pending ones.
    func locate(_ phone: Int, recording number: Int) {
        guard var recording = clients[phone].recordings[number], !recording.isOver else { return }
        recording.move({ [phone = clients[phone].phone] in phone.readings(at: $0) }, at: now)
        clients[phone].recordings[number] = recording
        send(recording, of: phone)
        if !recording.isOver {
            return agenda.add(.point(phone: phone, recording: number), at: now + SimulatedRecording.interval)
        }
        if recording.finishes, let id = recording.id { ask(.errand(.finish(id)), by: phone) }
    }

    /// Sends the pending points, unless others are in transit.
    private func send(_ recording: SimulatedRecording, of phone: Int) {
        guard let id = recording.id, !recording.waiting.isEmpty, !clients[phone].isAppending(to: recording.number)
        else { return }
        let name = SimulatedRecording.device(phone)
        let batch = RecordedBatch(
            device: DeviceKey(deviceID: name, bootID: clients[phone].phone.key.bootID),
            points: recording.waiting,
            sent: clients[phone].phone.readings(at: now)
        )
        ask(.errand(.append(recording: recording.number, id, batch)), by: phone)
    }

    // MARK: - Answers

    /// Processes the answer to an errand.
    func take(_ answer: ErrandAnswer, by phone: Int) throws {
        switch answer {
        case .recording(let number, let id):
            clients[phone].recordings[number]?.begin(as: id)
            if let recording = clients[phone].recordings[number] { send(recording, of: phone) }
        case .recorded(let number, let receipt):
            clients[phone].recordings[number]?.forget(receipt.taken + receipt.rejected.map(\.seq))
            if let recording = clients[phone].recordings[number], recording.isOver { send(recording, of: phone) }
        case .upload(let file, let id, let offset, let made):
            if let made { return try clients[phone].uploads[file]?.finish(as: made) ?? () }
            guard let chunk = clients[phone].uploads[file]?.chunk(at: offset), !clients[phone].isSending(file) else {
                return
            }
            ask(.errand(.put(file: file, id, offset: offset, chunk)), by: phone)
        case .place, .favourite, .visit, .course, .seen, .exporting, .exported, .outlook, .inbox: break
        }
    }

    /// Processes a refused errand: closed recordings end, and a file with a wrong offset continues at the server's.
    func takeRefusal(of ask: ErrandAsk, by phone: Int) {
        switch ask {
        case .append(let number, _, _): clients[phone].recordings[number]?.end()
        case .put(let number, _, _, _):
            guard clients[phone].uploads[number]?.resume() == true, !clients[phone].isSending(number),
                let upload = clients[phone].uploads[number]
            else { return }
            self.ask(.errand(.begin(file: number, upload.announcement)), by: phone)
        default: break
        }
    }

    // MARK: - Parts

    private var belongings: Belongings { watch.ledger.belongings }

    private func visit(_ order: Int, of person: Int) -> (VisitID, Belongings.VisitRow)? {
        let mine = belongings.visits.filter { $0.value.userID == Cast.user(person) }.sorted { $0.key < $1.key }
        return mine.indices.contains(order) ? (mine[order].key, mine[order].value) : nil
    }

    private func course(_ order: Int, of person: Int) -> CourseID? {
        let mine = belongings.courses.filter { $0.value.userID == Cast.user(person) }.keys.sorted()
        return mine.indices.contains(order) ? mine[order] : nil
    }

    /// All items of a user, by their ids.
    private func sights(of userID: UserID) -> [Sight] {
        let visits = belongings.visits.filter { $0.value.userID == userID }.keys.map(Sight.visit)
        let courses = belongings.courses.filter { $0.value.userID == userID }.keys.map(Sight.course)
        let files = belongings.files.filter { $0.value.userID == userID }.keys.map(Sight.file)
        return (visits + courses + files).sorted()
    }

    /// A place of the directory, or one described by a person.
    private static func place(_ number: Int?, of person: Int) -> Place {
        guard let number else { return Place(name: "At \(Cast.token(person))'s", coordinate: Story.place) }
        return Place(name: "", coordinate: Story.place, placeID: Cast.place(number))
    }
}

extension Errand.Watchers {
    fileprivate var ofVisit: Audience {
        switch self {
        case .nobody, .chosen: .onlyMe
        case .companions: .companions
        case .friends: .friends
        }
    }

    /// The audience of a course, for a chosen person if there is one.
    fileprivate func ofCourse(_ chosen: UserID?) -> Audience {
        switch self {
        case .nobody, .companions: .onlyMe
        case .friends: .friends
        case .chosen: chosen == nil ? .onlyMe : .people
        }
    }
}
