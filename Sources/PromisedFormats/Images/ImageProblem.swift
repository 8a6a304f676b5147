/// Why a picture is refused.
package enum ImageProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file has more bytes than allowed.
    case tooManyBytes(Int, most: Int)
    /// A side has more pixels than allowed.
    case sideTooLong(Int, most: Int)
    /// The picture has more pixels than allowed.
    case tooManyPixels(Int, most: Int)
    /// The first bytes are not those of a JPEG, PNG or WebP; they may be of another known format.
    case unknownFormat(FoundFormat?)
    /// The file ends inside its structure.
    case truncated
    /// The parts of the file contradict one another or the format.
    case malformed(reason: String)
    /// A variant of the format that browsers cannot show.
    case unsupported(reason: String)
    /// The file is also valid in another format.
    case polyglot(with: ForeignFormat)

    /// `true` if the size is the reason (`file.too-large`); all others are `file.unsupported`.
    package var isTooLarge: Bool {
        switch self {
        case .tooManyBytes, .sideTooLong, .tooManyPixels: true
        case .unknownFormat, .truncated, .malformed, .unsupported, .polyglot: false
        }
    }

    /// The reasons in one word each, for the metrics.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        case bytes, side, pixels, format, truncated, malformed, variant, polyglot
    }

    /// The reason without its details.
    package var reason: Reason {
        switch self {
        case .tooManyBytes: .bytes
        case .sideTooLong: .side
        case .tooManyPixels: .pixels
        case .unknownFormat: .format
        case .truncated: .truncated
        case .malformed: .malformed
        case .unsupported: .variant
        case .polyglot: .polyglot
        }
    }

    /// A sentence without the file's content.
    package var description: String {
        switch self {
        case .tooManyBytes(let count, let most): "the picture has \(count) bytes: use at most \(most)"
        case .sideTooLong(let side, let most): "a side of the picture has \(side) pixels: use at most \(most)"
        case .tooManyPixels(let count, let most): "the picture has \(count) pixels: use at most \(most)"
        case .unknownFormat(let found?): "the file is \(found.rawValue): use JPEG, PNG or WebP"
        case .unknownFormat(nil): "the file is not a picture: use JPEG, PNG or WebP"
        case .truncated: "the picture is cut off: send the whole file"
        case .malformed(let reason): "the picture is damaged: \(reason)"
        case .unsupported(let reason): "browsers cannot show the picture: \(reason)"
        case .polyglot(let other): "the file is also a \(other.rawValue) file: send a picture alone"
        }
    }
}
