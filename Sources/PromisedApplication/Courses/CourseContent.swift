internal import PromisedAccess
package import PromisedJournal

/// The parts of a course given in a request; nil for omitted ones.
package struct CourseContent: Hashable, Sendable {
    /// The folder; nil for the last changed one, or for the course's current one.
    package var folderID: FolderID?
    /// 1–60 characters.
    package var title: String?
    /// At most 2,000 characters, with line breaks.
    package var memo: String?
    /// The user's means of moving.
    package var activity: Activity?
    /// All photos, in order.
    package var photos: [Photo]?
    /// All way-points that the user names, in any order; empty restores the server's.
    package var waypoints: [CourseWaypoint]?

    package init() {}

    /// The content with its texts cleaned. Throws `TextProblem`.
    func cleaned() throws(TextProblem) -> CourseContent {
        var content = self
        content.title = try title.map { text throws(TextProblem) in try TextRule.title.clean(text) }
        content.memo = try memo.map { text throws(TextProblem) in try TextRule.memo.clean(text) }
        for (index, photo) in (photos ?? []).enumerated() {
            content.photos?[index].caption = try TextRule.caption(at: index).clean(photo.caption)
        }
        for (index, waypoint) in (waypoints ?? []).enumerated() {
            content.waypoints?[index].name = try TextRule.waypointName(at: index).clean(waypoint.name)
        }
        return content
    }

    /// The notes of a new course; `title` is the server's choice.
    func notes(titled title: String) -> CourseNotes {
        CourseNotes(title: self.title ?? title, memo: memo ?? "", activity: activity ?? .other, photos: photos ?? [])
    }
}

extension TextRule {
    /// The name of a way-point: at most 100 characters, possibly empty.
    static func waypointName(at index: Int) -> TextRule {
        TextRule(field: "waypoints[\(index)].name", length: 0...CourseLimits.waypointName)
    }

    /// Text of a file or the server, adapted to a rule: on one line, without forbidden characters, and truncated. Nil
    /// if nothing is left.
    ///
    /// Reads only the first ``longestSent`` code points: a file of 16 MiB may be a single text.
    func fitting(_ text: String?) -> String? {
        guard let text else { return nil }
        let start = text.unicodeScalars.drop { $0.properties.isWhitespace }.prefix(longestSent)
        let words = String(start).split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
        let allowed = String(String.UnicodeScalarView(words.unicodeScalars.filter(TextRule.isAllowed)))
        let fit = try? clean(String(allowed.prefix(length.upperBound)))
        return fit.flatMap { $0.isEmpty ? nil : $0 }
    }
}
