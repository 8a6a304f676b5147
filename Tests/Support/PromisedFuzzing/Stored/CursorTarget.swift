import PromisedDomain
import PromisedJournal
import PromisedPlaces

extension FuzzTarget {
    static let cursors = FuzzTarget(
        "cursors",
        "A text is no cursor, or the cursor's own text is read as the same cursor.",
        longest: 3_000
    ) { bytes throws(Violation) in
        let text = String(decoding: bytes, as: UTF8.self)
        try check(text, CourseCursor.init) { $0.description }
        try check(text, FavouriteCursor.init) { $0.description }
        try check(text, NotificationCursor.init) { $0.description }
        try check(text, VisitCursor.init) { $0.description }
        try check(text, FixCursor.init) { $0.description }
        try check(text, FriendCursor.init) { $0.description }
        try check(text, FriendRequestCursor.init) { $0.description }
        try check(text, PromiseCursor.init) { $0.description }
        try check(text, AuditCursor.init) { $0.description }
        try check(text, PlaceCursor.init) { $0.text }
    }

    private static func check<Cursor>(
        _ text: String,
        _ read: (String) -> Cursor?,
        _ write: (Cursor) -> String
    ) throws(Violation) {
        guard let cursor = read(text) else { return }
        let written = write(cursor)
        try require(read(written).map(write) == written, "\(cursor) is written as \(written)")
    }
}
