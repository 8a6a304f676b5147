/// One record of a CSV document.
package struct CSVRecord: Hashable, Sendable {
    /// Why a record is unusable, and the line on which the problem was found.
    package struct Problem: Hashable, Sendable {
        /// The kinds of problems.
        package enum Reason: Hashable, Sendable {
            /// A quoted field that is not closed: everything after the quote is lost.
            case unclosedQuote
            /// Text between a closing quote and the next delimiter.
            case textAfterQuote
            /// A quote inside a field that does not begin with one.
            case strayQuote
            /// A carriage return without a line feed outside quotes.
            case bareReturn
            /// More bytes than the reader stores of one record.
            case tooLong
        }

        /// From 1.
        package var line: Int
        package var reason: Reason

        /// A sentence that names the line.
        package var description: String { "line \(line): \(sentence)" }

        private var sentence: String {
            switch reason {
            case .unclosedQuote: "a quoted field is not closed"
            case .textAfterQuote: "there is text after a closing quote"
            case .strayQuote: "there is a quote in a field without quotes"
            case .bareReturn: "a CR without LF outside quotes"
            case .tooLong: "the record is too long"
            }
        }
    }

    /// The line that the record begins on, from 1.
    package let line: Int
    /// The content of all fields, one after the other, without quotes and delimiters.
    let bytes: [UInt8]
    /// Where each field ends in ``bytes``; ascending, at least one.
    private let ends: [Int]
    /// The first problem of the record; nil if it is well-formed. With a problem its fields are incomplete.
    package let problem: Problem?

    /// A record whose fields end at `ends`.
    init(line: Int, bytes: [UInt8], ends: [Int], problem: Problem?) {
        self.line = line
        self.bytes = bytes
        self.ends = ends
        self.problem = problem
    }

    package var count: Int { ends.count }

    /// The field at an index below ``count``.
    package subscript(index: Int) -> String {
        let start = index == 0 ? 0 : ends[index - 1]
        return String(decoding: bytes[start..<ends[index]], as: UTF8.self)
    }

    /// `true` if the fields from an index on are empty or blank.
    func isBlank(from index: Int) -> Bool {
        index >= count || bytes[(index == 0 ? 0 : ends[index - 1])...].allSatisfy { $0 == 0x20 || $0 == 0x09 }
    }

    /// All fields in order.
    package var fields: [String] { (0..<count).map { self[$0] } }
}

/// Writes CSV by RFC 4180.
package enum CSVWriter {
    /// A document of records, each with CRLF at its end.
    package static func text(of records: some Sequence<[String]>) -> String {
        records.map { record($0) + "\r\n" }.joined()
    }

    /// One record without its line end; fields are quoted if necessary.
    package static func record(_ fields: [String]) -> String { fields.map(quoted).joined(separator: ",") }

    private static func quoted(_ field: String) -> String {
        // By scalars: "\r\n" is one character, and so is a quotation mark with an accent.
        let scalars = field.unicodeScalars
        guard scalars.contains(where: { "\",\r\n".unicodeScalars.contains($0) }) else { return field }
        let doubled = scalars.split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
        return "\"" + doubled.joined(separator: "\"\"") + "\""
    }
}
