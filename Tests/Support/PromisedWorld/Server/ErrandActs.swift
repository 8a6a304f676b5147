internal import PromisedApplication
internal import PromisedDomain
internal import PromisedJournal
internal import PromisedPlaces

/// Answers errands by the application's acts on places, visits, courses and files.
struct ErrandActs: Sendable {
    /// The quota of a user's files: some stories exceed it.
    static let space = FileSpace(perUser: 12_000, keepFree: 0)
    private let files: Files
    private let promises: Promises
    private let places: PlaceUseCases
    private let journal: JournalUseCases
    private let background: BackgroundActs
    private let clock: VirtualClock

    init(_ application: Application, clock: VirtualClock) {
        (files, promises) = (application.core.files, application.meetups.promises)
        (places, journal) = (application.places, application.journal)
        self.clock = clock
        background = BackgroundActs(application, clock: clock)
    }

    // MARK: - The operator

    /// Changes the directory; a faulty disk may prevent it.
    ///
    /// - Returns: an import that has ended; nil for everything else.
    func operate(_ errand: Errand) async -> LoadedPlaces? {
        switch errand {
        case .alter(let place, let closes):
            _ = try? await places.administration.edit(
                Cast.place(place),
                to: Cast.listing(place, isClosed: closes, number: clock.now.milliseconds),
                audit: nil
            )
        case .remove(let place): try? await places.administration.remove(Cast.place(place), audit: nil)
        case .load(let count, let without, let replaces):
            let known = (0..<ErrandMaker.places).filter { $0 != without }
            let rows = known.map { Cast.listing($0, isClosed: false) } + (0..<count).map(Cast.imported)
            let report = await background.load(rows, replaces: replaces)
            return report.map { LoadedPlaces(rows: rows, isReplacement: replaces, report: $0) }
        default: preconditionFailure("Nothing for the operator: \(errand)")
        }
        return nil
    }

    // MARK: - Users

    /// Answers a request of a user.
    func answer(_ ask: ErrandAsk, of userID: UserID) async throws -> Answer {
        switch ask {
        case .lookUp, .favour, .unfavour, .relocate: try await aboutPlaces(ask, userID)
        case .note, .edit, .discard: try await aboutVisits(ask, userID)
        case .start, .append, .finish, .drop: try await aboutRecordings(ask, userID)
        case .keepWay, .share, .delete, .carry, .copy: try await aboutCourses(ask, userID)
        case .begin, .put: try await aboutFiles(ask, userID)
        case .peek(let sights): .errand(.seen(try await seen(sights, by: userID)))
        case .export, .outlook, .mute, .inbox: try await background.answer(ask, of: userID)
        }
    }

    private func aboutPlaces(_ ask: ErrandAsk, _ userID: UserID) async throws -> Answer {
        switch ask {
        case .lookUp(let id):
            let card = try await places.places.details(of: id, for: userID).card
            return .errand(.place(card.opening, isRemoved: card.isRemoved))
        case .favour(let key, let place):
            let shown = try await places.favourites.add(place, label: "", key: key, contentHash: [1], of: userID)
            return .errand(.favourite(shown.favourite.id))
        case .unfavour(let id): try await places.favourites.remove(id, of: userID)
        case .relocate(let id, let place):
            try await edit(id, by: userID) { $0.place = Place(name: "", coordinate: Story.place, placeID: place) }
        default: preconditionFailure("Nothing about places: \(ask)")
        }
        return .done
    }

    private func aboutVisits(_ ask: ErrandAsk, _ userID: UserID) async throws -> Answer {
        var content = VisitContent()
        switch ask {
        case .note(let key, let place, let instant, let picture):
            (content.place, content.visitedAt, content.title) = (place, instant, Cast.token(userID))
            content.photos = picture.map { [Photo(fileID: $0, caption: Cast.token(userID))] }
            return shown(try await journal.visits.create(content, key: key, contentHash: [2], by: userID))
        case .edit(let id, let version, let audience, let companion):
            (content.audience, content.memo) = (audience, Cast.token(userID))
            content.companions = companion.map { [.user($0)] }
            return shown(try await journal.visits.update(id, version: version, content, by: userID))
        case .discard(let id): try await journal.visits.delete(id, by: userID)
        default: preconditionFailure("Nothing about visits: \(ask)")
        }
        return .done
    }

    private func aboutRecordings(_ ask: ErrandAsk, _ userID: UserID) async throws -> Answer {
        switch ask {
        case .start(let number, let key):
            let recording = try await journal.recordings.start(
                .walk,
                title: nil,
                key: key,
                contentHash: [3],
                by: userID
            )
            return .errand(.recording(number, recording.id))
        case .append(let number, let id, let batch):
            let receipt = try await journal.recordings.append(batch, to: id, at: clock.now, by: userID)
            return .errand(.recorded(number, receipt))
        case .finish(let id): return shown(try await journal.recordings.finish(id, CourseContent(), by: userID))
        case .drop(let id): try await journal.recordings.discard(id, by: userID)
        default: preconditionFailure("Nothing about recordings: \(ask)")
        }
        return .done
    }

    private func aboutCourses(_ ask: ErrandAsk, _ userID: UserID) async throws -> Answer {
        switch ask {
        case .keepWay(let id, let key):
            return shown(
                try await journal.keeping.keepWay(of: id, CourseContent(), key: key, contentHash: [4], by: userID)
            )
        case .share(let id, let audience, let person):
            let people = [person].compactMap(\.self)
            return shown(
                try await journal.courses.share(id, with: audience, people: people, hideMetres: nil, by: userID)
            )
        case .copy(let id, let key):
            return shown(try await journal.courses.copy(id, to: nil, key: key, contentHash: [5], by: userID))
        case .delete(let id): try await journal.courses.delete(id, by: userID)
        case .carry(let id, let course): try await edit(id, by: userID) { $0.course = .course(course) }
        default: preconditionFailure("Nothing about courses: \(ask)")
        }
        return .done
    }

    private func aboutFiles(_ ask: ErrandAsk, _ userID: UserID) async throws -> Answer {
        switch ask {
        case .begin(let number, let announcement):
            return shown(number, try await files.uploads.begin(announcement, of: userID))
        case .put(let number, let id, let offset, let bytes):
            return shown(number, try await files.uploads.put(bytes, at: offset, into: id, of: userID))
        default: preconditionFailure("Nothing about files: \(ask)")
        }
    }

    // MARK: - Parts

    private func edit(_ id: PromiseID, by userID: UserID, _ change: (inout PromiseEdit) -> Void) async throws {
        var edit = PromiseEdit(version: try await promises.show(id, to: userID).view.promise.version)
        change(&edit)
        _ = try await promises.edit(id, edit, by: userID)
    }

    /// The visible items among these; a refusal hides one, and a fault ends the request.
    private func seen(_ sights: [Sight], by userID: UserID) async throws -> [Sight] {
        var seen: [Sight] = []
        for sight in sights {
            do {
                switch sight {
                case .visit(let id): _ = try await journal.visits.get(id, by: userID)
                case .course(let id):
                    _ = try await journal.courses.get(id, by: userID)
                    _ = try await journal.courses.track(of: id, by: userID)
                case .file(let id): _ = try await files.read(id, from: 0, limit: 1_000, by: userID)
                }
                seen.append(sight)
            } catch is Refusal {
                continue
            }
        }
        return seen
    }

    private func shown(_ visit: Visits.Shown) -> Answer {
        .errand(.visit(visit.visit.id, version: visit.visit.version))
    }

    private func shown(_ course: ShownCourse) -> Answer {
        .errand(.course(course.course.id, version: course.course.version))
    }

    private func shown(_ number: Int, _ upload: FileUpload) -> Answer {
        .errand(.upload(file: number, upload.upload.id, offset: upload.upload.offset, made: upload.file?.id))
    }
}
