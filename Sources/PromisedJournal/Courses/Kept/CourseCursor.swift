package import PromisedDomain

/// The end of a page of courses: of a list by change, last changed first, or of a list by distance, nearest first; ties
/// by id, largest first.
package enum CourseCursor: Hashable, Sendable, CustomStringConvertible {
    /// After a course that was changed at an instant.
    case changed(at: Instant, CourseID)
    /// After a course whose box has its centre this many metres away.
    case near(metres: Double, CourseID)

    /// Before all courses in a list by change.
    package static let beginning = CourseCursor.changed(
        at: Instant(milliseconds: .max),
        CourseID(high: .max, low: .max)
    )

    /// A cursor from its opaque text; nil for any other text.
    package init?(_ text: String) {
        guard let parts = CursorText(text), parts.text.isEmpty else { return nil }
        let id = CourseID(high: parts.id.high, low: parts.id.low)
        switch parts.kind {
        case CourseCursor.changedKind: self = .changed(at: Instant(milliseconds: parts.number), id)
        case CourseCursor.nearKind:
            let metres = Double(bitPattern: UInt64(bitPattern: parts.number))
            guard metres.isFinite, metres >= 0 else { return nil }
            self = .near(metres: metres, id)
        default: return nil
        }
    }

    /// The opaque text: letters, digits, `-` and `_`.
    package var description: String {
        switch self {
        case .changed(let at, let id): text(CourseCursor.changedKind, at.milliseconds, id)
        case .near(let metres, let id): text(CourseCursor.nearKind, Int64(bitPattern: metres.bitPattern), id)
        }
    }

    private func text(_ kind: UInt8, _ number: Int64, _ id: CourseID) -> String {
        CursorText(kind: kind, number: number, id: (id.high, id.low), text: "").description
    }

    private static let changedKind = UInt8(ascii: "c")
    private static let nearKind = UInt8(ascii: "d")
}
