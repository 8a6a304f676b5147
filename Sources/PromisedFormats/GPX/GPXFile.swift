package import Foundation

/// A GPX file (in UTF-8, also compressed by gzip) that was read.
///
/// Kept of a point are position, elevation, time and dilution; of a way-point also name, comment and description; of a
/// track or route name and description; of the file its name; and of a route the way between its points, where Garmin's
/// programs wrote it (`gpxx:rpt`). A route along which a track of the file leads is left out. All else, other extensions
/// included, is checked to be well-formed XML and skipped. Elements may have any prefix that stands for the namespace of
/// GPX, or no namespace at all.
///
/// Positions, elevations and dilutions are rounded to seven decimal places, which is what ``GPXDocument/chunks(creator:)``
/// writes: a file that is read, written and read again gives an equal document. Seven places of a degree are at most 11 mm,
/// a hundredth of what receivers resolve. Texts lose white space at both ends and all beyond 64 KiB; segments without points
/// are left out.
package struct GPXFile: Hashable, Sendable {
    /// The content of the file.
    package let document: GPXDocument
    /// How many points and way-points were dropped because their position is missing or invalid.
    package let droppedCount: Int
    /// The faults of these.
    package let problems: PositionProblems
    /// The program that wrote the file, as its root names it; nil if it names none.
    package let creator: String?
    /// The line, counted from 1, on which the file breaks off: all that is whole before it was read, and nothing that a later
    /// line would end. Nil for a file that is whole.
    package let brokenOffLine: Int?

    /// Metres of error that one unit of dilution stands for.
    package static let metresPerHdop = 5.0
    /// Programs that write the accuracy in metres where GPX has the dilution of precision.
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

    /// Reads a file's content, see ``GPXError/Limit`` for what it may have. It may be compressed by gzip; the size is then that
    /// of the unpacked content, too.
    ///
    /// A file that breaks off, as one that a program was still writing or that was sent in part, is read up to there if it
    /// has a point before. Zeros at its end, which a crash leaves, are ignored.
    ///
    /// Throws every ``GPXError`` but ``GPXError/unreadable(reason:)``. Time and memory are proportional to the bytes.
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

    /// The accuracy of a point of this file in metres (68 %): its dilution × 5 m, or the dilution itself where the
    /// ``creator`` is OsmAnd or Locus, which write metres there; nil without it.
    package func accuracyMetres(of point: GPXPoint) -> Double? {
        point.hdop.map { $0 * (hasMetricDilution ? 1 : GPXFile.metresPerHdop) }
    }

    private var hasMetricDilution: Bool {
        guard let creator = creator?.lowercased() else { return false }
        return GPXFile.metricCreators.contains { creator.contains($0) }
    }
}
