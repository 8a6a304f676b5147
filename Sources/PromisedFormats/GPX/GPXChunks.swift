import PromisedDomain

extension GPXDocument {
    /// The document as GPX 1.1 in UTF-8 with line feeds, in pieces of some 64 KiB that are generated on demand.
    ///
    /// Positions have seven decimal places, elevations and dilutions up to seven; times are in UTC, with milliseconds
    /// if not 0. Omitted are points and way-points with an invalid position, numbers that are not finite or of 10⁸ and
    /// beyond, and times outside the years 1 to 9999.
    ///
    /// - Parameter creator: the program that writes it, with its version.
    package func chunks(creator: String) -> some Sequence<[UInt8]> & Sendable {
        GPXChunks(document: self, creator: creator)
    }

    /// The document as GPX 1.1, see ``chunks(creator:)``.
    package func text(creator: String) -> String {
        String(decoding: chunks(creator: creator).flatMap(\.self), as: UTF8.self)
    }
}

/// Iterates over a document and writes a piece on demand.
private struct GPXChunks: Sequence, IteratorProtocol {
    /// A piece is complete once it has this many bytes.
    private static let size = 65_536

    /// The next part to write.
    private enum Part {
        case head
        case waypoint(Int)
        case trackHead(Int)
        case segment(track: Int, Int)
        case trackEnd(Int)
        case point(track: Int, segment: Int, Int)
        case end
        case finished
    }

    let document: GPXDocument
    let creator: String
    private var part = Part.head

    init(document: GPXDocument, creator: String) {
        self.document = document
        self.creator = creator
    }

    mutating func next() -> [UInt8]? {
        var lines = GPXLines()
        while lines.bytes.count < Self.size {
            if case .finished = part { break }
            part = write(into: &lines)
        }
        return lines.bytes.isEmpty ? nil : lines.bytes
    }

    /// Writes the next part and returns the one after it.
    private func write(into lines: inout GPXLines) -> Part {
        switch part {
        case .head:
            lines.head(of: document, creator: creator)
            return .waypoint(0)
        case .waypoint(let index):
            guard index < document.waypoints.count else { return .trackHead(0) }
            lines.waypoint(document.waypoints[index])
            return .waypoint(index + 1)
        case .trackHead(let index):
            guard index < document.tracks.count else { return .end }
            lines.trackHead(document.tracks[index])
            return .segment(track: index, 0)
        case .segment(let track, let index):
            guard index < document.tracks[track].segments.count else { return .trackEnd(track) }
            lines.open("trkseg", depth: 2)
            return .point(track: track, segment: index, 0)
        case .point(let track, let segment, let index):
            let points = document.tracks[track].segments[segment]
            guard index < points.count else {
                lines.close("trkseg", depth: 2)
                return .segment(track: track, segment + 1)
            }
            lines.point(points[index])
            return .point(track: track, segment: segment, index + 1)
        case .trackEnd(let index):
            lines.close("trk", depth: 1)
            return .trackHead(index + 1)
        case .end:
            lines.close("gpx", depth: 0)
            return .finished
        case .finished: return .finished
        }
    }
}
