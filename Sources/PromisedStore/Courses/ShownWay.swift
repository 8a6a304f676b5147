internal import Foundation
internal import GRDB
package import PromisedDomain

/// A long way as its user sees it, or as all others do, packed so that a page of it costs what it shows.
///
/// It follows from the points as they were recorded, so that it may be thrown away at any time.
package struct ShownWay: Hashable, Sendable {
    /// Ways with more points are kept; shorter ones are worked out within 2 ms for each page.
    private static let shortest = 2_000

    let isOwn: Bool
    /// Others do not see the way this near to its ends, in metres; 0 for its user.
    let hideMetres: Int
    /// How many points it has.
    let points: Int
    let pieces: [TrackPiece]
    /// The encoding of ``OutlineCoding``.
    let outlines: [UInt8]

    /// Packs what somebody sees of a track; takes as long as ``CourseTrack/seen`` once more. Nil for a short one, which
    /// is not kept.
    ///
    /// - Parameter seen: that of the track.
    package init?(_ seen: Track, of track: CourseTrack) {
        guard ShownWay.isKept(points: track.raw.points.count) else { return nil }
        self.init(packing: seen, isOwn: track.isOwn, hideMetres: track.hideMetres)
    }

    /// Packs what a track is for its user and, last, for all others, whatever its length.
    package static func all(of track: CourseTrack) -> [ShownWay] {
        let seen = track.seenByAll
        return [
            ShownWay(packing: seen.own, isOwn: true, hideMetres: track.hideMetres),
            ShownWay(packing: seen.others, isOwn: false, hideMetres: track.hideMetres),
        ]
    }

    /// `true` if a way is kept that was recorded with this number of points.
    package static func isKept(points: Int) -> Bool { points > shortest }

    /// Packs a way of any length.
    init(packing seen: Track, isOwn: Bool, hideMetres: Int) {
        self.isOwn = isOwn
        self.hideMetres = isOwn ? 0 : hideMetres
        points = seen.points.count
        pieces = TrackPiece.all(of: seen)
        outlines = OutlineCoding.encode(OutlineSteps(of: seen))
    }
}

/// The rows of `shown_way` and `shown_piece`.
enum ShownWayRecord {
    /// Replaces what is kept of a course for its user or for others. Primary keys.
    static func replace(by way: ShownWay, of course: CourseID, in db: Database) throws {
        try db.run("DELETE FROM shown_way WHERE course_id = ? AND is_own = ?", [course, way.isOwn])
        try db.run(
            "INSERT INTO shown_way (course_id, is_own, hide_metres, points, outlines) VALUES (?, ?, ?, ?, ?)",
            [course, way.isOwn, way.hideMetres, way.points, Data(way.outlines)]
        )
        for piece in way.pieces {
            try db.run(
                "INSERT INTO shown_piece (course_id, is_own, start, count, points) VALUES (?, ?, ?, ?, ?)",
                [course, way.isOwn, piece.start, piece.count, Data(piece.bytes)]
            )
        }
    }

    /// Forgets what others see of a course. Primary keys.
    static func forgetOthers(of course: CourseID, in db: Database) throws {
        try db.run("DELETE FROM shown_way WHERE course_id = ? AND NOT is_own", [course])
    }

    /// A part of the way that is kept of a course; nil without one, or if the course hides another distance now. Primary
    /// keys.
    static func page(_ part: TrackPart, of course: CourseID, isOwn: Bool, from db: Database) throws -> TrackPage? {
        guard let row = try db.row(ShownWayQuery.points, [course, isOwn]) else { return nil }
        if let maxPoints = part.maxPoints {
            guard let row = try db.row(ShownWayQuery.outlines, [course, isOwn]) else { return nil }
            return try OutlineCoding.page(part, of: maxPoints, from: [UInt8](row.value("outlines") as Data))
        }
        var page = TrackPage(points: [], total: try row.value("points"))
        guard part.start < page.total else { return page }
        let end = part.limit < page.total - part.start ? part.start + part.limit : page.total
        let first = part.start - part.start % TrackPiece.size
        let rows = try db.cursor(ShownWayQuery.pieces, [course, isOwn, first, end])
        while let row = try rows.next() {
            let piece = try piece(row)
            let (skipped, kept) = (max(0, part.start - piece.start), min(piece.count, end - piece.start))
            guard skipped < kept else { throw StoreError.damaged("A piece of a way that overlaps with another") }
            page.points += try piece.points()[skipped..<kept]
        }
        guard page.points.count == end - part.start else { throw StoreError.damaged("A way without one of its pieces") }
        return page
    }

    static func piece(_ row: Row) throws -> TrackPiece {
        TrackPiece(
            start: try row.value("start"),
            count: try row.value("count"),
            bytes: [UInt8](try row.value("points") as Data)
        )
    }
}

/// The queries about the ways that are kept as they are shown.
enum ShownWayQuery {
    /// The number of points of a kept way that is still current.
    static let points = "SELECT shown_way.points AS points \(present)"

    static let outlines = "SELECT shown_way.outlines AS outlines \(present)"

    private static let present = """
        FROM shown_way JOIN course ON course.id = course_id
        WHERE course_id = ? AND is_own = ? AND (is_own OR shown_way.hide_metres = course.hide_metres)
        """

    /// How many ways are kept of a course that are current.
    static let current = """
        SELECT count(*) FROM shown_way JOIN course ON course.id = course_id
        WHERE course_id = :course AND (is_own OR shown_way.hide_metres = course.hide_metres)
        """

    /// The pieces from one start to another.
    static let pieces = """
        SELECT start, count, points FROM shown_piece WHERE course_id = ? AND is_own = ? AND start >= ? AND start < ?
        ORDER BY start
        """
}
