/// Reads CSV (RFC 4180) chunk by chunk; lines may also end in LF alone, and blank lines are skipped.
///
/// ```
/// fieldStart ── text ─▶ plain ── , ─▶ fieldStart      quoted ── " ─▶ afterQuote ── " ─▶ quoted
///     └──── " ─▶ quoted                               afterQuote ── , ─▶ fieldStart
/// any outside quotes ── LF ─▶ fieldStart (of the next record), with CR ─▶ afterReturn between
/// any fault outside quotes ─▶ broken ── LF ─▶ fieldStart
/// ```
///
/// A record with a fault is delivered with its problem, and the next line is read again; only an unclosed quote
/// consumes the rest of the document. The reader stores at most `longest` bytes of a record.
package struct CSVReader: Sendable {
    private let delimiter: UInt8
    private let longest: Int
    private var state = State.fieldStart
    private var line = 1
    private var recordLine = 1
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var problem: CSVRecord.Problem?

    private enum State {
        case fieldStart
        case plain
        case quoted
        case afterQuote
        case afterReturn
        case broken
    }

    /// A reader at the start of a document.
    ///
    /// - Parameters:
    ///   - delimiter: an ASCII character other than a quote, CR and LF.
    ///   - longest: the most bytes of fields in a record.
    package init(delimiter: UInt8 = UInt8(ascii: ","), longest: Int = .max) {
        precondition(
            delimiter < 0x80 && ![.quote, .newline, .carriageReturn].contains(delimiter),
            "a delimiter is an ASCII character other than a quote, CR and LF"
        )
        self.delimiter = delimiter
        self.longest = longest
    }

    /// All records of a document; a leading byte order mark is ignored.
    package static func records(of text: String, delimiter: UInt8 = UInt8(ascii: ",")) -> [CSVRecord] {
        var reader = CSVReader(delimiter: delimiter)
        var records: [CSVRecord] = []
        let bytes = Array(text.utf8)
        reader.read(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes, into: &records)
        reader.finish(into: &records)
        return records
    }

    /// Counts a line that precedes the input.
    mutating func skipLine() {
        line += 1
        recordLine = line
    }

    /// Appends the records that end in a chunk of UTF-8.
    package mutating func read(_ chunk: [UInt8], into records: inout [CSVRecord]) {
        var index = 0
        while index < chunk.count {
            let end = endOfRun(in: chunk, from: index)
            if end > index {
                keep(chunk[index..<end])
                index = end
            } else {
                step(chunk[index], into: &records)
                index += 1
            }
        }
    }

    /// Appends the last record, if the document does not end with a line end.
    package mutating func finish(into records: inout [CSVRecord]) {
        if state == .quoted { fault(.unclosedQuote, replacing: true) }
        endRecord(into: &records)
    }

    // MARK: - Bytes

    /// The end of the bytes that belong to the current field in any case; `from` if the first one decides.
    private func endOfRun(in chunk: [UInt8], from: Int) -> Int {
        var end = from
        switch state {
        case .fieldStart, .plain:
            while end < chunk.count, !isSpecial(chunk[end]) { end += 1 }
        case .quoted:
            while end < chunk.count, chunk[end] != .quote { end += 1 }
        case .broken:
            while end < chunk.count, chunk[end] != .newline { end += 1 }
        case .afterQuote, .afterReturn: break
        }
        return end
    }

    private func isSpecial(_ byte: UInt8) -> Bool {
        byte == delimiter || byte == .newline || byte == .quote || byte == .carriageReturn
    }

    private mutating func keep(_ run: ArraySlice<UInt8>) {
        if state == .quoted { line += run.count { $0 == .newline } }
        if state == .fieldStart { state = .plain }
        guard problem == nil else { return }
        if bytes.count + run.count > longest {
            fault(.tooLong)
        } else {
            bytes += run
        }
    }

    /// Processes a byte that may change the state.
    private mutating func step(_ byte: UInt8, into records: inout [CSVRecord]) {
        switch (state, byte) {
        case (.quoted, _): state = .afterQuote
        case (.afterQuote, .quote):
            state = .quoted
            keep([byte])
        case (.afterReturn, let byte) where byte != .newline: breakOff(.bareReturn)
        case (_, .newline):
            endRecord(into: &records)
            line += 1
            recordLine = line
        case (_, .carriageReturn): state = .afterReturn
        case (_, delimiter): endField()
        case (.fieldStart, .quote): state = .quoted
        case (.afterQuote, _): breakOff(.textAfterQuote)
        default: breakOff(.strayQuote)
        }
    }

    private mutating func breakOff(_ reason: CSVRecord.Problem.Reason) {
        fault(reason)
        state = .broken
    }

    private mutating func fault(_ reason: CSVRecord.Problem.Reason, replacing: Bool = false) {
        guard problem == nil || replacing else { return }
        // The line of a record that is too long must not depend on the borders of chunks.
        problem = CSVRecord.Problem(line: reason == .tooLong ? recordLine : line, reason: reason)
        bytes = []
        ends = []
    }

    private mutating func endField() {
        if problem == nil { ends.append(bytes.count) }
        state = .fieldStart
    }

    private mutating func endRecord(into records: inout [CSVRecord]) {
        let isBlank = ends.isEmpty && bytes.isEmpty && state != .afterQuote && problem == nil
        endField()
        if !isBlank {
            let record = CSVRecord(line: recordLine, bytes: bytes, ends: ends, problem: problem)
            records.append(record)
        }
        bytes.removeAll(keepingCapacity: false)
        ends.removeAll(keepingCapacity: false)
        problem = nil
    }
}

extension UInt8 {
    fileprivate static let quote = UInt8(ascii: "\"")
}
