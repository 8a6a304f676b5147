/// Reads the places of a plan's file, piece by piece.
package struct PlaceFileReader: ~Copyable {
    private var chunks: FileChunks
    private var reader: PlaceReader
    private var isAtEnd = false
    private let path: String
    private let format: RowFormat
    /// The given encoding; nil if the bytes decide.
    private let encoding: TextEncoding?
    /// The number of bytes read so far.
    private var bytesRead = 0

    /// A reader at the start of the file. Blocks; without a given encoding, reads the file once to find it.
    ///
    /// - Throws: ``FormatError/inFile(path:reason:)`` for a file that cannot be read, ``FormatError/missingEncoding(name:)``.
    package init(_ plan: PlaceFilePlan) throws(FormatError) {
        path = plan.path
        format = plan.format
        encoding = plan.encoding
        do throws(FormatError) {
            let encoding =
                if let given = plan.encoding { given } else { try TextEncoding.detected(inFileAt: plan.path) }
            let chunks = try FileChunks(path: plan.path)
            reader = try PlaceReader(plan.format, encoding: encoding, mapping: plan.mapping, area: plan.area)
            self.chunks = chunks
        } catch {
            throw error.inFile(at: plan.path)
        }
    }

    /// The counts of the rows so far.
    package var tally: ImportTally { reader.tally }

    /// The share of the file that was read, 0…1; nil if its size is unknown.
    package var share: Double? { chunks.count > 0 ? min(1, Double(bytesRead) / Double(chunks.count)) : nil }

    /// The outcomes of the rows that end in the next piece, in the order of the file; possibly empty. Nil after the
    /// last piece. Blocks while reading a piece.
    ///
    /// - Throws: ``FormatError/inFile(path:reason:)``; then reading cannot continue.
    package mutating func next() throws(FormatError) -> [PlaceRowOutcome]? {
        do throws(FormatError) { return try nextPiece() } catch { throw error.inFile(at: path) }
    }

    private mutating func nextPiece() throws(FormatError) -> [PlaceRowOutcome]? {
        guard !isAtEnd else { return nil }
        var outcomes: [PlaceRowOutcome] = []
        if let chunk = try chunks.next() {
            if bytesRead == 0 { try format.check(chunk, encoding: encoding) }
            bytesRead += chunk.count
            try reader.read(chunk, into: &outcomes)
        } else {
            isAtEnd = true
            guard bytesRead > 0 else { throw .unsuitable(reason: "the file is empty") }
            try reader.finish(into: &outcomes)
        }
        return outcomes
    }
}
