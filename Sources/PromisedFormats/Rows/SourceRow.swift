/// A row of a file.
package struct SourceRow: Hashable, Sendable {
    /// The line it begins on, from 1.
    package let line: Int
    let content: Content

    enum Content: Hashable, Sendable {
        case record(CSVRecord)
        case value(JSONValue)
        case unusable(Fault)
    }

    /// Why the fields of a row cannot be told apart.
    package enum Fault: Hashable, Sendable {
        /// Not a record of the header's number of fields, not a JSON object, or too long.
        case columns
        /// Bytes that are no text in the file's encoding.
        case encoding
    }

    /// Why nothing can be read from the row; nil if it can.
    package var fault: Fault? {
        guard case .unusable(let fault) = content else { return nil }
        return fault
    }
}

extension CSVRecord {
    /// `true` if bytes could not be decoded.
    var isMalformed: Bool { bytes.contains(TextDecoder.malformedByte) }
}

extension SourceRow {
    /// A row of a file whose records have `columns` fields.
    static func csv(_ record: CSVRecord, columns: Int) -> SourceRow {
        let content: Content =
            if record.problem != nil || record.count != columns {
                .unusable(.columns)
            } else if record.isMalformed {
                .unusable(.encoding)
            } else {
                .record(record)
            }
        return SourceRow(line: record.line, content: content)
    }

    /// A row of a JSON value; nil: it is too long.
    static func json(line: Int, bytes: [UInt8]?) -> SourceRow {
        guard let bytes else { return SourceRow(line: line, content: .unusable(.columns)) }
        if bytes.contains(TextDecoder.malformedByte) { return SourceRow(line: line, content: .unusable(.encoding)) }
        guard case .object(let members) = JSONParser.value(of: bytes) else {
            return SourceRow(line: line, content: .unusable(.columns))
        }
        return SourceRow(line: line, content: .value(.object(members)))
    }
}
