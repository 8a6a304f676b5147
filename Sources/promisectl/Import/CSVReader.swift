/// Records of a CSV document (RFC 4180); lines may also end in LF alone.
struct CSVReader {
    /// A record and the line it begins on, from 1.
    struct Record: Hashable, Sendable {
        var line: Int
        var fields: [String]
    }

    private var line = 1
    private var recordLine = 1
    private var fields: [String] = []
    private var field = String.UnicodeScalarView()
    private var state = State.atStart
    private var records: [Record] = []

    private enum State {
        case atStart
        /// In a field without quotes.
        case plain
        /// Between the quotes of a field.
        case quoted
        /// After a quote in a quoted field: its end, or the first of two quotes.
        case afterQuote
        /// After a CR outside quotes.
        case afterReturn
    }

    /// All records of a document without blank lines; a leading byte order mark is ignored. Throws `usage` naming the
    /// line, for quotes that are not closed or not where RFC 4180 allows them.
    static func records(of text: String) throws(Failure) -> [Record] {
        var reader = CSVReader()
        var scalars = text.unicodeScalars[...]
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        for scalar in scalars { try reader.read(scalar) }
        guard reader.state != .quoted else { throw reader.fault("a quoted field is not closed") }
        reader.endRecord()
        return reader.records
    }

    private mutating func read(_ scalar: Unicode.Scalar) throws(Failure) {
        switch (state, scalar) {
        case (.quoted, "\""): state = .afterQuote
        case (.quoted, _): append(scalar)
        case (.afterQuote, "\""):
            field.append(scalar)
            state = .quoted
        case (.afterReturn, let scalar) where scalar != "\n": throw fault("a CR without LF outside quotes")
        case (_, "\n"):
            endRecord()
            line += 1
            recordLine = line
        case (_, "\r"): state = .afterReturn
        case (_, ","): endField()
        case (.atStart, "\""): state = .quoted
        case (.afterQuote, _): throw fault("there is text after a closing quote")
        case (_, "\""): throw fault("there is a quote in a field without quotes")
        default:
            field.append(scalar)
            state = .plain
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        field.append(scalar)
        if scalar == "\n" { line += 1 }
    }

    private mutating func endField() {
        fields.append(String(field))
        field = String.UnicodeScalarView()
        state = .atStart
    }

    private mutating func endRecord() {
        let isBlank = fields.isEmpty && field.isEmpty && state != .afterQuote
        endField()
        if !isBlank { records.append(Record(line: recordLine, fields: fields)) }
        fields = []
    }

    private func fault(_ what: String) -> Failure { .usage("line \(line): \(what)") }
}
