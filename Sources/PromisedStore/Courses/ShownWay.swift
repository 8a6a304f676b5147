internal import Foundation
internal import PromisedDomain
package import PromisedJournal

/// A long way as its user sees it, or as all others do, packed so that the cost of a page depends only on its size.
///
/// Derived from the recorded points, so it can be deleted at any time.
package struct ShownWay: Hashable, Sendable {
    /// Only ways with more points are stored; shorter ones are computed within 2 ms per page.
    private static let shortest = 2_000

    let isOwn: Bool
    /// How much of the way near its ends is hidden from others, in metres; 0 for its user.
    let hideMetres: Int
    let points: Int
    let pieces: [TrackPiece]
    /// The encoding of ``OutlineCoding``.
    let outlines: [UInt8]

    /// Packs a track as one audience sees it; takes about as long as computing ``CourseTrack/seen``. Nil for a short
    /// track, which is not stored.
    ///
    /// - Parameter seen: the visible part of `track`.
    package init?(_ seen: Track, of track: CourseTrack) {
        guard ShownWay.isKept(points: track.raw.points.count) else { return nil }
        self.init(packing: seen, isOwn: track.isOwn, hideMetres: track.hideMetres)
    }

    /// Packs a track as its user sees it and, last, as all others see it, whatever its length.
    package static func all(of track: CourseTrack) -> [ShownWay] {
        let seen = track.seenByAll
        return [
            ShownWay(packing: seen.own, isOwn: true, hideMetres: track.hideMetres),
            ShownWay(packing: seen.others, isOwn: false, hideMetres: track.hideMetres),
        ]
    }

    /// `true` if a way recorded with this number of points is stored.
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
    /// Replaces the stored way of a course for its user or for others. Primary keys.
    static func replace(by way: ShownWay, of course: CourseID, in db: SQLConnection) throws {
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

    /// Deletes the stored way that others see of a course. Primary keys.
    static func forgetOthers(of course: CourseID, in db: SQLConnection) throws {
        try db.run("DELETE FROM shown_way WHERE course_id = ? AND NOT is_own", [course])
    }

    /// A part of a course's stored way; nil if there is none, or if the course now hides a different distance. Primary
    /// keys.
    static func page(_ part: TrackPart, of course: CourseID, isOwn: Bool, from db: SQLConnection) throws -> TrackPage? {
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

    static func piece(_ row: SQLRow) throws -> TrackPiece {
        TrackPiece(
            start: try row.value("start"),
            count: try row.value("count"),
            bytes: [UInt8](try row.value("points") as Data)
        )
    }
}

/// The queries about stored ways.
enum ShownWayQuery {
    /// The number of points of a stored way that is still current.
    static let points = "SELECT shown_way.points AS points \(present)"

    static let outlines = "SELECT shown_way.outlines AS outlines \(present)"

    private static let present = """
        FROM shown_way JOIN course ON course.id = course_id
        WHERE course_id = ? AND is_own = ? AND (is_own OR shown_way.hide_metres = course.hide_metres)
        """

    /// How many stored ways of a course are current.
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
