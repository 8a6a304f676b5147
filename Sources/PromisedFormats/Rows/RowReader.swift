/// Reads the rows of a file from its decoded text, chunk by chunk.
///
/// Memory holds at most `longestRow` bytes of the current row, and the rows of one chunk.
package struct RowReader: Sendable {
    /// The most bytes of a row; all texts of a place together have a tenth of it.
    package static let longestRow = 1_048_576

    private var source: Source
    private let hasHeader: Bool
    private let delimiter: UInt8
    /// `true` if the lines of CSV end in CR alone.
    private var endsInReturns = false
    /// The file's columns; nil before the first record of CSV.
    private(set) var columns: FileColumns?

    private enum Source {
        case csv(CSVReader)
        /// CSV whose first line has not ended, with the bytes so far: the line decides the line ends, and may name the
        /// delimiter.
        case csvStart([UInt8])
        case features(FeatureSplitter)
        case array(JSONSplitter)
        case lines(LineSplitter)
    }

    /// A reader at the start of a file.
    package init(_ format: RowFormat) {
        switch format {
        case .csv(let delimiter, let hasHeader):
            source = .csvStart([])
            self.hasHeader = hasHeader
            self.delimiter = delimiter
        case .geoJSON:
            source = .features(FeatureSplitter())
            hasHeader = false
            delimiter = 0
            columns = .features
        case .json(let rows):
            source = .array(JSONSplitter(path: rows, longest: Self.longestRow))
            hasHeader = false
            delimiter = 0
            columns = .members
        case .jsonLines:
            source = .lines(LineSplitter(longest: Self.longestRow))
            hasHeader = false
            delimiter = 0
            columns = .members
        }
    }

    /// Appends the rows that end in a chunk of text from ``TextDecoder``.
    ///
    /// - Throws: ``FormatError/malformed(line:reason:)`` if reading cannot continue; earlier rows remain valid.
    package mutating func read(_ text: [UInt8], into rows: inout [SourceRow]) throws(FormatError) {
        switch source {
        case .csvStart(let start):
            let begun = start + text
            if FirstLine(begun).isWhole || begun.count > Self.longestRow {
                let rest = begin(begun)
                try read(rest, into: &rows)
            } else {
                source = .csvStart(begun)
            }
        case .features(var splitter):
            source = .lines(LineSplitter())
            defer { source = .features(splitter) }
            try splitter.read(text, into: &rows)
        case .csv(var reader):
            source = .csv(CSVReader())
            var records: [CSVRecord] = []
            let lines = endsInReturns ? text.map { $0 == .carriageReturn ? .newline : $0 } : text
            reader.read(lines, into: &records)
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
    /// - Throws: ``FormatError/malformed(line:reason:)`` if the file is truncated.
    package mutating func finish(into rows: inout [SourceRow]) throws(FormatError) {
        if case .csvStart(let start) = source {
            let rest = begin(start)
            try read(rest, into: &rows)
        }
        switch source {
        case .csvStart: break
        case .features(var splitter):
            try splitter.finish(into: &rows)
            source = .features(splitter)
        case .csv(var reader):
            var records: [CSVRecord] = []
            reader.finish(into: &records)
            try take(records, into: &rows, areCut: true)
            if columns == nil { throw .malformed(line: 1, reason: "the file is empty: it has no rows") }
        case .array(var splitter): try splitter.finish()
        case .lines(var splitter):
            var lines: [LineSplitter.Line] = []
            splitter.finish(into: &lines)
            for line in lines { rows.append(.json(line: line.number, bytes: line.bytes)) }
        }
    }

    /// The EPSG number of the coordinates in a GeoJSON file; nil without one.
    var epsg: Int? {
        if case .features(let splitter) = source { splitter.epsg } else { nil }
    }

    /// Starts reading CSV. Returns the text after a line that names the delimiter.
    private mutating func begin(_ text: [UInt8]) -> [UInt8] {
        let first = FirstLine(text)
        endsInReturns = first.endsInReturn
        var reader = CSVReader(delimiter: first.delimiter ?? delimiter, longest: Self.longestRow)
        if first.delimiter != nil { reader.skipLine() }
        source = .csv(reader)
        return first.delimiter == nil ? text : Array(text[first.length...])
    }

    private mutating func take(
        _ records: [CSVRecord],
        into rows: inout [SourceRow],
        areCut: Bool = false
    ) throws(FormatError) {
        for record in records {
            if record.problem?.reason == .unclosedQuote {
                throw .malformed(line: record.line, reason: "a quote that is opened here is never closed")
            }
            guard columns == nil else {
                rows.append(.csv(record, columns: columnCount, isCut: areCut))
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
        // Tabs in a single column may be the delimiter of the file, which an error then names.
        let hasTabs = record.count == 1 && record.bytes.contains(UInt8(ascii: "\t"))
        columns =
            hasHeader
            ? .named(hasTabs ? record.fields : record.fields.map(RowText.clean)) : .numbered(count: record.count)
    }

    private var columnCount: Int {
        switch columns {
        case .named(let names): names.count
        case .numbered(let count): count
        case .members, .features, nil: 0
        }
    }
}

/// The first line of CSV.
private struct FirstLine {
    /// `true` if all of it is available, including the byte after a CR at its end.
    private(set) var isWhole = false
    /// `true` if it ends in CR without LF; then all lines do.
    private(set) var endsInReturn = false
    /// The delimiter in a line such as `sep=;`, as written by spreadsheets; nil for any other line.
    private(set) var delimiter: UInt8?
    /// The length of the line in bytes, including its end.
    private(set) var length: Int

    /// The line at the start of a text.
    init(_ text: [UInt8]) {
        length = text.count
        var isQuoted = false
        for (index, byte) in text.enumerated() {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            guard !isQuoted, byte == .newline || byte == .carriageReturn else { continue }
            let isPair = byte == .carriageReturn && index + 1 < text.count && text[index + 1] == .newline
            isWhole = byte == .newline || index + 1 < text.count
            endsInReturn = byte == .carriageReturn && !isPair
            length = index + (isPair ? 2 : 1)
            delimiter = Self.delimiter(named: text[..<index])
            return
        }
    }

    private static func delimiter(named line: ArraySlice<UInt8>) -> UInt8? {
        var line = line
        if line.count == 7, line.first == UInt8(ascii: "\""), line.last == line.first {
            line = line.dropFirst().dropLast()
        }
        guard line.count == 5, String(decoding: line.prefix(4), as: UTF8.self).lowercased() == "sep=",
            let delimiter = line.last, delimiter < 0x80, delimiter != UInt8(ascii: "\"")
        else { return nil }
        return delimiter
    }
}
