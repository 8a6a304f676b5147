internal import Foundation

/// Reads the places of a plan's files, piece by piece, as one import: equal rows of several files are duplicates.
package struct PlaceFileReader: ~Copyable {
    private let plan: PlaceFilePlan
    /// The number of the file that is being read.
    private var number = 0
    private var file: OpenFile
    private var reader: PlaceReader
    /// The bytes of all files, and those of files read to their end; nil if a size is unknown.
    private let totalBytes: Int?
    private var earlierBytes = 0

    /// The file that is being read.
    private struct OpenFile {
        let path: String
        var chunks: FileChunks
        /// The encoding that the bytes or the plan say.
        let encoding: TextEncoding
        var bytesRead = 0
        /// The first piece, in which a service's error is sought.
        var start: [UInt8] = []
        /// The rows of all files before this one.
        var rowsBefore = 0
        var isAtEnd = false

        /// Opens a file. Blocks; without a given encoding, reads the file once to find it.
        init(_ path: String, encoding given: TextEncoding?) throws(FormatError) {
            self.path = path == StandardInput.name ? "standard input" : path
            do throws(FormatError) {
                let isInput = path == StandardInput.name
                let place = isInput ? try StandardInput.copied() : path
                defer {
                    // The open file stays readable; the system removes a temporary file that remains.
                    if isInput { try? FileManager.default.removeItem(atPath: place) }
                }
                encoding = if let given { given } else { try TextEncoding.detected(inFileAt: place) }
                chunks = try FileChunks(path: place)
            } catch {
                throw error.inFile(at: self.path)
            }
        }
    }

    /// A reader at the start of the first file. Blocks; without a given encoding, reads the file once to find it.
    ///
    /// - Throws: ``FormatError/inFile(path:reason:)`` for a file that cannot be read, ``FormatError/missingEncoding(name:)``.
    package init(_ plan: PlaceFilePlan) throws(FormatError) {
        let file = try OpenFile(plan.paths[0], encoding: plan.encoding)
        let totalBytes = try Self.bytes(of: plan, after: file)
        reader = try Self.reader(of: file, in: plan)
        self.plan = plan
        self.file = file
        self.totalBytes = totalBytes
    }

    private static func reader(of file: OpenFile, in plan: PlaceFilePlan) throws(FormatError) -> PlaceReader {
        do throws(FormatError) {
            var reader = try PlaceReader(plan.format, encoding: file.encoding, mapping: plan.mapping, area: plan.area)
            reader.fileName = label(of: file.path, in: plan)
            return reader
        } catch {
            throw error.inFile(at: file.path)
        }
    }

    /// The bytes of all files; nil if unknown. A missing file is an error before anything is imported.
    private static func bytes(of plan: PlaceFilePlan, after first: OpenFile) throws(FormatError) -> Int? {
        var total = first.chunks.count
        var hasInput = false
        for path in plan.paths.dropFirst() {
            guard path != StandardInput.name else {
                hasInput = true
                continue
            }
            do throws(FormatError) {
                total += try FileChunks(path: path).count
            } catch {
                throw error.inFile(at: path)
            }
        }
        return hasInput || total == 0 ? nil : total
    }

    /// The counts of the rows so far.
    package var tally: ImportTally { reader.tally }

    /// The share of the files that was read, 0…1; nil if their size is unknown.
    package var share: Double? {
        totalBytes.map { min(1, Double(earlierBytes + file.bytesRead) / Double($0)) }
    }

    /// The outcomes of the rows that end in the next piece, in the order of the files; possibly empty. Nil after the
    /// last piece. Blocks while reading a piece.
    ///
    /// - Throws: ``FormatError/inFile(path:reason:)``; then reading cannot continue.
    package mutating func next() throws(FormatError) -> [PlaceRowOutcome]? {
        if file.isAtEnd {
            guard number + 1 < plan.paths.count else { return nil }
            try beginNextFile()
        }
        var outcomes: [PlaceRowOutcome] = []
        do throws(FormatError) {
            try readPiece(into: &outcomes)
        } catch {
            guard try endsWithService(after: error, isFirst: number == 0) else { throw error.inFile(at: file.path) }
            file.isAtEnd = true
        }
        return outcomes
    }

    private mutating func beginNextFile() throws(FormatError) {
        earlierBytes += file.bytesRead
        number += 1
        file = try OpenFile(plan.paths[number], encoding: plan.encoding)
        file.rowsBefore = reader.tally.rows
        do throws(FormatError) {
            try reader.beginFile(plan.format, encoding: file.encoding)
        } catch {
            throw error.inFile(at: file.path)
        }
        reader.fileName = Self.label(of: file.path, in: plan)
    }

    private mutating func readPiece(into outcomes: inout [PlaceRowOutcome]) throws(FormatError) {
        if let chunk = try file.chunks.next() {
            if file.bytesRead == 0 {
                file.start = chunk
                try plan.format.check(chunk, encoding: plan.encoding)
            }
            file.bytesRead += chunk.count
            try reader.read(chunk, into: &outcomes)
        } else {
            file.isAtEnd = true
            guard file.bytesRead > 0 else { throw .unsuitable(reason: "the file is empty") }
            try reader.finish(into: &outcomes)
            if reader.tally.rows == file.rowsBefore, let error = ServiceError(in: file.start) {
                guard error.saysNoData, number > 0 else { throw .unsuitable(reason: error.sentence) }
            }
        }
    }

    /// `true` if a fault is only the service's way to say that a page after the first has no rows.
    ///
    /// - Throws: the service's own error, if the file is one.
    private func endsWithService(after fault: FormatError, isFirst: Bool) throws(FormatError) -> Bool {
        guard reader.tally.rows == file.rowsBefore, let error = ServiceError(in: file.start) else { return false }
        if error.saysNoData, !isFirst { return true }
        throw FormatError.unsuitable(reason: error.sentence).inFile(at: file.path)
    }

    /// The name that rows of a file have in reports; empty if there is only one file.
    private static func label(of path: String, in plan: PlaceFilePlan) -> String {
        plan.paths.count > 1 ? String(path.split(separator: "/").last ?? "") : ""
    }
}
