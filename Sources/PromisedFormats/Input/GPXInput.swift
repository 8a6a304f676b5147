/// A GPX file that a user named by its path.
package struct GPXInput: Hashable, Sendable {
    /// The bytes of the file.
    package let bytes: [UInt8]
    /// Their content.
    package let file: GPXFile

    /// Reads the file at a path. Blocks.
    ///
    /// - Throws: ``FormatError/unreadable(reason:)``, or ``FormatError/unsuitable(reason:)`` with the format found; the
    ///   caller adds the path.
    package init(path: String) throws(FormatError) {
        // One byte beyond the limit, so that the reader detects larger files.
        bytes = try FileChunks.bytes(ofFileAt: path, most: GPXError.Limit.size.most + 1)
        guard !bytes.isEmpty else { throw .unsuitable(reason: "the file is empty") }
        do throws(GPXError) {
            file = try GPXFile(bytes)
        } catch {
            throw .unsuitable(reason: Self.reason(error, in: bytes))
        }
    }

    private static func reason(_ error: GPXError, in bytes: [UInt8]) -> String {
        switch FoundFormat(sniffing: bytes) {
        // The reader names the line and the fault.
        case .gpx?, .xml?: error.description
        case .gzip? where error == .damaged: error.description
        case .gzip?: "the file is compressed by gzip, and its content is not read: \(error)"
        case let found?: found.sentence(insteadOf: "GPX")
        case nil: "the file is not GPX: \(error)"
        }
    }
}
