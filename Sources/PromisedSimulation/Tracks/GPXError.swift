/// Why a GPX file can't be read.
package enum GPXError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file can't be opened or read.
    case unreadable(reason: String)
    /// Not XML, or cut off; the line counts from 1.
    case malformed(line: Int)
    /// XML, but of another kind: its outermost element is not `gpx`.
    case notGPX
    /// A track point whose position or time makes no sense; the line is the one on which the point, or its time, ends.
    case badPoint(line: Int, reason: String)

    /// A sentence that names the line and no coordinate.
    package var description: String {
        switch self {
        case .unreadable(let reason): "the file can't be read: \(reason)"
        case .malformed(let line): "line \(line): not well-formed XML"
        case .notGPX: "the file is XML, but not GPX"
        case .badPoint(let line, let reason): "line \(line): \(reason)"
        }
    }
}
