/// Why a GPX file is refused; lines count from 1.
package enum GPXError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A quantity with an upper limit per file.
    package enum Limit: String, Error, Hashable, CaseIterable {
        /// The bytes of the file.
        case size
        /// Tracks and routes together.
        case tracks
        /// The points of a track or route, dropped ones included.
        case points
        /// The segments of all tracks together, empty ones included.
        case segments
        /// Way-points, dropped ones included.
        case waypoints
    }

    /// The file can't be opened or read.
    case unreadable(reason: String)
    /// The gzip compression is damaged.
    case damaged
    /// Malformed XML, or XML of an unsupported kind.
    case malformed(line: Int, XMLProblem)
    /// XML, but its root element is not `gpx`, or is in another namespace.
    case notGPX(line: Int)
    /// A limit of files is exceeded.
    case tooMuch(line: Int, Limit)

    /// One stable word for the reason.
    package var word: String {
        switch self {
        case .unreadable: "unreadable"
        case .damaged: "damaged"
        case .malformed(_, let problem): problem.rawValue
        case .notGPX: "not-gpx"
        case .tooMuch(_, let limit): limit.rawValue
        }
    }

    /// The line on which the problem was found; nil without one.
    package var line: Int? {
        switch self {
        case .unreadable, .damaged: nil
        case .malformed(let line, _), .notGPX(let line), .tooMuch(let line, _): line
        }
    }

    /// A sentence that names the line, without the file's content.
    package var description: String {
        switch self {
        case .unreadable(let reason): "cannot read the file: \(reason)"
        case .damaged: "the file is compressed by gzip, and its data is damaged"
        case .malformed(let line, let problem): "line \(line): \(problem.sentence)"
        case .notGPX(let line): "line \(line): the file is XML, but its root element is not that of GPX"
        case .tooMuch(let line, let limit): "line \(line): more than \(limit.most) \(limit.noun)"
        }
    }
}

extension GPXError.Limit {
    /// The largest allowed number.
    package var most: Int {
        switch self {
        case .size: 16 * 1_024 * 1_024
        case .tracks: 20
        case .points: 100_000
        case .segments, .waypoints: 10_000
        }
    }

    fileprivate var noun: String {
        switch self {
        case .size: "bytes"
        case .tracks: "tracks and routes"
        case .points: "points in a track"
        case .segments: "segments"
        case .waypoints: "way-points"
        }
    }
}
