import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedSimulation
import PromisedTestSupport
import Testing

@testable import PromisedStore

extension ID where Subject == CourseSubject {
    /// The id of the course with that number; ids are ordered as the numbers are.
    static func course(_ number: UInt64) -> CourseID { CourseID(high: 0x7000, low: 0x8000_0000_0000_0000 | number) }
}

extension ID where Subject == Folder {
    /// The id of the folder with that number; ids are ordered as the numbers are.
    static func folder(_ number: UInt64) -> FolderID { FolderID(high: 0x7000, low: 0x8000_0000_0000_0000 | number) }
}

extension EndsSecret {
    /// The secret of the server.
    static let sample = EndsSecret(first: 1, second: 2)
}

/// A café at each point, possibly of the directory.
struct Cafes: CoursePlaces {
    var placeID: PlaceID?

    func places(within metres: Double, of coordinate: Coordinate) -> [Place] {
        [Place(name: "Café", address: "Pier 1", coordinate: coordinate, placeID: placeID)]
    }

    func regionName(at coordinate: Coordinate) -> String? { nil }
}

extension Track {
    /// A way to the north in two segments with a point each 10 m and each 10 s, a long rest in the middle, and every
    /// field filled.
    static func sample(
        _ count: Int = 100,
        from start: Coordinate = .meetingPlace,
        at instant: Instant = .meeting - .hours(5)
    ) -> Track {
        Track(
            (0..<count).map { number in
                let rest = number > count / 2 ? TimeSpan.minutes(7) : .zero
                return TrackPoint(
                    start.north(Double(number) * 10),
                    altitudeMetres: 20 + Double(number) / 3,
                    time: instant + .milliseconds(Int64(number) * 10_001) + rest,
                    accuracyMetres: 4.5,
                    speedMps: 1.25,
                    segment: number < count / 2 ? 0 : 1
                )
            }
        )
    }
}

extension CourseDraft {
    /// A course with every field filled but photos.
    static func sample(
        _ track: Track = .sample(),
        title: String = "To the pier",
        isTitleChosen: Bool = false,
        waypoints: [CourseWaypoint] = [],
        secret: EndsSecret = .sample.derived(for: .user(1)),
        names: Cafes = Cafes(),
        at now: Instant = .meeting
    ) -> CourseDraft {
        CourseDraft(
            source: .file,
            notes: CourseNotes(title: title, memo: "Windy\nand wet", activity: .ride),
            isTitleChosen: isTitleChosen,
            raw: track,
            waypoints: waypoints,
            secret: secret,
            names: names,
            at: now
        )
    }
}

extension CourseWaypoint {
    /// A way-point that a user names on ``Track/sample(_:from:at:)``.
    static func note(_ name: String, metres: Double) -> CourseWaypoint {
        let place = Place(name: name, coordinate: Coordinate.meetingPlace.north(metres))
        return CourseWaypoint(name: name, place: place, kind: .note, atMetres: 0)
    }
}

extension Store {
    /// Makes the folder with that number of user 1, or of another.
    @discardableResult
    func createFolder(
        _ number: UInt64,
        of user: UserID = .user(1),
        title: String? = nil,
        key: String? = nil,
        hash: UInt8 = 1,
        language: BilingualName.Language = .english,
        at now: Instant = .meeting
    ) async throws -> Result<FolderOverview, Refusal> {
        try await courses.createFolder(
            title: title ?? "Folder \(number)",
            language: language,
            id: .folder(number),
            of: user,
            key: key ?? "folder \(number)",
            contentHash: [hash],
            at: now
        )
    }

    /// Creates the course with that number of user 1, or of another, in their folder.
    @discardableResult
    func createCourse(
        _ number: UInt64,
        of user: UserID = .user(1),
        in folder: UInt64? = nil,
        draft: CourseDraft = .sample(),
        photos: [UInt64] = [],
        at now: Instant = .meeting
    ) async throws -> Course {
        var draft = draft
        draft.notes.photos = photos.map { Photo(fileID: .file($0), caption: "Photo \($0)") }
        return try await keep(draft, number, of: user, in: folder, at: now).get()
    }

    func keep(
        _ draft: CourseDraft,
        _ number: UInt64,
        of user: UserID = .user(1),
        in folder: UInt64? = nil,
        key: String? = nil,
        hash: UInt8 = 1,
        at now: Instant = .meeting
    ) async throws(StoreError) -> Result<Course, Refusal> {
        try await courses.createCourse(
            NewCourse(draft, id: .course(number)),
            in: FolderChoice(
                folder.map(FolderID.folder),
                newID: FolderID(high: 0x7001, low: user.low),
                language: .english
            ),
            of: user,
            key: key ?? "course \(number)",
            contentHash: [hash],
            at: now
        )
    }

    /// Shares the course with that number of user 1 with an audience.
    func share(
        _ number: UInt64,
        of user: UserID = .user(1),
        with audience: Audience,
        _ people: [UInt64] = []
    ) async throws {
        _ = try await courses.shareCourse(
            .course(number),
            of: user,
            with: audience,
            people: people.map(UserID.user),
            at: .meeting
        ).get()
    }
}
