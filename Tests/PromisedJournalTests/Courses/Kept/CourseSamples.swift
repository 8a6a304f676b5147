import PromisedDomain
import PromisedJournal
import PromisedSimulation

extension ID where Subject == CourseSubject {
    /// The id of the course with that number.
    static func course(_ number: UInt64) -> CourseID { CourseID(high: 0x7000, low: 0x8000_0000_0000_0000 | number) }
}

extension ID where Subject == Folder {
    /// The id of the folder with that number.
    static func folder(_ number: UInt64) -> FolderID { FolderID(high: 0x7000, low: 0x8000_0000_0000_0000 | number) }
}

extension EndsSecret {
    /// The secret of user 1.
    static let sample = EndsSecret(first: 1, second: 2)
}

/// A directory without names.
struct NoNames: CoursePlaces {
    func places(within metres: Double, of coordinate: Coordinate) -> [Place] { [] }
    func regionName(at coordinate: Coordinate) -> String? { nil }
}

extension Track {
    /// A straight way to the north from the equator, with a point every 10 m and 10 s.
    static func straight(_ count: Int, from start: Instant = RandomTrack.start) -> Track {
        Track(
            (0..<count).map { number in
                TrackPoint(.onWay(metres: Double(number) * 10), time: start + .seconds(Double(number) * 10))
            }
        )
    }
}

extension Coordinate {
    /// The point of ``Track/straight(_:from:)`` at this distance along it.
    static func onWay(metres: Double) -> Coordinate {
        Coordinate(latitude: metres / Coordinate.earthRadiusMetres * 180 / .pi, longitude: 127)
    }
}

extension CourseDraft {
    static func sample(_ count: Int = 100, title: String = "To the pier", waypoints: [CourseWaypoint] = []) -> Self {
        CourseDraft(
            source: .file,
            notes: CourseNotes(title: title, memo: "Windy\nand wet", activity: .walk),
            raw: .straight(count),
            waypoints: waypoints,
            secret: .sample,
            names: NoNames(),
            at: RandomTrack.start + .hours(9)
        )
    }
}

extension Course {
    /// A course of user 1.
    static func sample(_ draft: CourseDraft = .sample(), isRecommended: Bool = false) -> Course {
        let home = Home(userID: .number(1), folderID: .folder(1))
        return Course(
            draft,
            id: .course(1),
            title: draft.notes.title,
            in: isRecommended ? nil : home,
            at: RandomTrack.start + .hours(9)
        )
    }

    /// Its points for the user or for others.
    func track(isOwn: Bool, points: Int = 100) -> CourseTrack {
        CourseTrack(
            raw: .straight(points),
            cleanedAt: way.cleanedAt,
            hideMetres: sharing.hideMetres,
            secret: .sample,
            isOwn: isOwn,
            version: version
        )
    }
}

extension ID where Subject == UserCard {
    /// The id of the user with that number.
    static func number(_ number: UInt64) -> UserID { UserID(high: 0x7000, low: 0x8000_0000_0000_0000 | number) }
}

extension CourseWaypoint {
    /// A way-point that a user names on ``Track/straight(_:from:)``.
    static func note(_ name: String, metres: Double) -> CourseWaypoint {
        CourseWaypoint(
            name: name,
            place: Place(name: name, coordinate: .onWay(metres: metres)),
            kind: .note,
            atMetres: -1
        )
    }
}
