/// Reads the rows of a file from its decoded text, chunk by chunk.
///
/// In memory are the current row, at most `longestRow` bytes of it, and the rows of one chunk.
package struct RowReader: Sendable {
    /// The bytes that a row may have; all texts of a place together have a tenth of it.
    package static let longestRow = 1_048_576

    private var source: Source
    private let hasHeader: Bool
    /// The file's columns; nil before the first record of CSV.
    private(set) var columns: FileColumns?

    private enum Source {
        case csv(CSVReader)
        case array(JSONSplitter)
        case lines(LineSplitter)
    }

    /// A reader at the start of a file.
    package init(_ format: RowFormat) {
        switch format {
        case .csv(let delimiter, let hasHeader):
            source = .csv(CSVReader(delimiter: delimiter, longest: Self.longestRow))
            self.hasHeader = hasHeader
        case .geoJSON:
            source = .array(JSONSplitter(path: ["features"], longest: Self.longestRow))
            hasHeader = false
            columns = .features
        case .json(let rows):
            source = .array(JSONSplitter(path: rows, longest: Self.longestRow))
            hasHeader = false
            columns = .members
        case .jsonLines:
            source = .lines(LineSplitter(longest: Self.longestRow))
            hasHeader = false
            columns = .members
        }
    }

    /// Appends the rows that end in a chunk of the text that ``TextDecoder`` gives.
    ///
    /// - Throws: ``FormatError/malformed(line:reason:)`` if nothing can be read any more; the rows before stay valid.
    package mutating func read(_ text: [UInt8], into rows: inout [SourceRow]) throws(FormatError) {
        switch source {
        case .csv(var reader):
            source = .csv(CSVReader())
            var records: [CSVRecord] = []
            reader.read(text, into: &records)
            source = .csv(reader)
            try take(records, into: &rows)
        case .array(var splitter):
            var elements: [JSONSplitter.Element] = []
            // The rows before a fault count.
            defer { for element in elements { rows.append(.json(line: element.line, bytes: element.bytes)) } }
            source = .array(JSONSplitter(path: []))
            try splitter.read(text, into: &elements)
            source = .array(splitter)
        case .lines(var splitter):
            source = .lines(LineSplitter())
            var lines: [LineSplitter.Line] = []
            splitter.read(text, into: &lines)
            source = .lines(splitter)
            for line in lines { rows.append(.json(line: line.number, bytes: line.bytes)) }
        }
    }

    /// Appends the last row of a file that does not end with a line end.
    ///
    /// - Throws: ``FormatError/malformed(line:reason:)`` if the file breaks off.
    package mutating func finish(into rows: inout [SourceRow]) throws(FormatError) {
        switch source {
        case .csv(var reader):
            var records: [CSVRecord] = []
            reader.finish(into: &records)
            try take(records, into: &rows)
            if columns == nil { throw .malformed(line: 1, reason: "the file is empty: it has no rows") }
        case .array(var splitter): try splitter.finish()
        case .lines(var splitter):
            var lines: [LineSplitter.Line] = []
            splitter.finish(into: &lines)
            for line in lines { rows.append(.json(line: line.number, bytes: line.bytes)) }
        }
    }

    private mutating func take(_ records: [CSVRecord], into rows: inout [SourceRow]) throws(FormatError) {
        for record in records {
            if record.problem?.reason == .unclosedQuote {
                throw .malformed(line: record.line, reason: "a quote that is opened here is never closed")
            }
            guard columns == nil else {
                rows.append(.csv(record, columns: columnCount))
                continue
            }
            try takeFirst(record)
            if !hasHeader { rows.append(.csv(record, columns: columnCount)) }
        }
    }

    private mutating func takeFirst(_ record: CSVRecord) throws(FormatError) {
        if let problem = record.problem { throw .malformed(line: problem.line, reason: "the first record is not CSV") }
        if record.isMalformed, hasHeader {
            throw .malformed(line: record.line, reason: "the header has bytes that are no text in the file's encoding")
        }
        columns = hasHeader ? .named(record.fields.map(RowText.clean)) : .numbered(count: record.count)
    }

    private var columnCount: Int {
        switch columns {
        case .named(let names): names.count
        case .numbered(let count): count
        case .members, .features, nil: 0
        }
    }
}
