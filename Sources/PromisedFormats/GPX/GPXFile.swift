package import Foundation

/// The content of a GPX file (in UTF-8, optionally compressed by gzip).
///
/// It contains position, elevation, time and dilution of a point; also name, comment and description of a way-point;
/// name and description of a track or route; the name of the file; and the points between those of a route, if Garmin's
/// programs wrote them (`gpxx:rpt`). A route along a track of the file is omitted. Everything else, other extensions
/// included, is checked to be well-formed XML and skipped. Elements may have any prefix of the GPX namespace, or no
/// namespace at all.
///
/// Positions, elevations and dilutions are rounded to seven decimal places, which is what
/// ``GPXDocument/chunks(creator:)`` writes: reading, writing and reading again yields an equal document. Seven places
/// of a degree are at most 11 mm, a hundredth of what receivers resolve. Texts are trimmed and truncated at 64 KiB;
/// segments without points are omitted.
package struct GPXFile: Hashable, Sendable {
    package let document: GPXDocument
    /// The number of points and way-points dropped because of a missing or invalid position.
    package let droppedCount: Int
    /// The faults of the dropped points.
    package let problems: PositionProblems
    /// The program that wrote the file, by its root element; nil without one.
    package let creator: String?
    /// The line, counted from 1, on which the file breaks off: only elements that were complete before it are read. Nil
    /// for a complete file.
    package let brokenOffLine: Int?

    /// The error in metres per unit of dilution.
    package static let metresPerHdop = 5.0
    /// Programs that write the accuracy in metres instead of the dilution of precision.
    private static let metricCreators = ["osmand", "locus"]

    /// Reads the file at `url`. Throws ``GPXError``.
    package init(contentsOf url: URL) throws(GPXError) {
        let data: Data
        do {
            let handle = try FileHandle(forReadingFrom: url)
            data = try handle.read(upToCount: GPXError.Limit.size.most + 1) ?? Data()
        } catch {
            throw .unreadable(reason: error.localizedDescription)
        }
        try self.init([UInt8](data))
    }

    /// Reads a file's content within the limits of ``GPXError/Limit``. It may be compressed by gzip; the limit of the
    /// size then also applies to the unpacked content.
    ///
    /// A truncated file, still being written or sent in part, is read up to the break if it has a point before. Zeros
    /// at its end, which a crash leaves, are ignored.
    ///
    /// Throws every ``GPXError`` except ``GPXError/unreadable(reason:)``. Time and memory are proportional to the
    /// bytes.
    package init(_ bytes: [UInt8]) throws(GPXError) {
        guard bytes.count <= GPXError.Limit.size.most else { throw .tooMuch(line: 1, .size) }
        var reader = try GPXReader(try GPXFile.unpacked(bytes).withoutCutEnd)
        document = try reader.read()
        droppedCount = reader.droppedCount
        problems = reader.problems
        creator = reader.creator
        brokenOffLine = reader.brokenOffLine
    }

    private static func unpacked(_ bytes: [UInt8]) throws(GPXError) -> [UInt8] {
        guard Gzip.begins(bytes) else { return bytes }
        do throws(Gzip.Problem) {
            return try Gzip.content(of: bytes, most: GPXError.Limit.size.most)
        } catch {
            switch error {
            case .damaged: throw .damaged
            case .tooLong: throw .tooMuch(line: 1, .size)
            }
        }
    }

    /// The points of all tracks and segments, in the order of the file.
    package var points: [GPXPoint] { document.tracks.flatMap { $0.segments.flatMap(\.self) } }

    /// The accuracy of a point of this file in metres (68 %): its dilution × 5 m, or the dilution itself if the
    /// ``creator`` is OsmAnd or Locus, which write metres there; nil without it.
    package func accuracyMetres(of point: GPXPoint) -> Double? {
        point.hdop.map { $0 * (hasMetricDilution ? 1 : GPXFile.metresPerHdop) }
    }

    private var hasMetricDilution: Bool {
        guard let creator = creator?.lowercased() else { return false }
        return GPXFile.metricCreators.contains { creator.contains($0) }
    }
}
