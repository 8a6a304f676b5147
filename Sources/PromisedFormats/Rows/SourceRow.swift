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

    /// Why the fields of a row cannot be separated.
    package enum Fault: Hashable, Sendable {
        /// A record with more fields than the header, not all of them empty; not a JSON object; or too long.
        case columns
        /// Like ``columns``, as caused by positions with a decimal comma.
        case splitNumbers
        /// Bytes that are malformed in the file's encoding.
        case encoding
    }

    /// Why the row is unreadable; nil if it is readable.
    package var fault: Fault? {
        guard case .unusable(let fault) = content else { return nil }
        return fault
    }
}

extension CSVRecord {
    /// `true` if bytes could not be decoded.
    var isMalformed: Bool { bytes.contains(TextDecoder.malformedByte) }

    /// `true` for a record with at least two fields beyond a number of columns, of which two pairs look like degrees
    /// split at a decimal comma: `37,5537,126,99`.
    func hasSplitNumbers(beyond columns: Int) -> Bool {
        guard count >= columns + 2, !isBlank(from: columns) else { return false }
        let texts = fields.map(RowText.clean)
        var (pairs, index) = (0, 0)
        while index + 1 < texts.count {
            let isPair = Self.isWholeDegrees(texts[index]) && Self.isFraction(texts[index + 1])
            if isPair { pairs += 1 }
            index += isPair ? 2 : 1
        }
        return pairs >= 2
    }

    private static func isWholeDegrees(_ text: String) -> Bool {
        text.utf8.count <= 4 && Int(text).map { abs($0) <= 180 } == true
    }

    private static func isFraction(_ text: String) -> Bool {
        text.utf8.count >= 2 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}

extension SourceRow {
    /// A row of a file whose records have `columns` fields. Further ones must be empty, and missing ones count as
    /// empty: spreadsheets add or omit delimiters at the ends of lines.
    ///
    /// - Parameter isCut: `true` for a record at the possibly truncated end of the file: then all fields must be
    ///   present.
    static func csv(_ record: CSVRecord, columns: Int, isCut: Bool = false) -> SourceRow {
        let content: Content =
            if record.problem == nil, record.hasSplitNumbers(beyond: columns) {
                .unusable(.splitNumbers)
            } else if record.problem != nil || !record.isBlank(from: columns) || isCut && record.count < columns {
                .unusable(.columns)
            } else if record.isMalformed {
                .unusable(.encoding)
            } else {
                .record(record)
            }
        return SourceRow(line: record.line, content: content)
    }

    /// A row of a GeoJSON feature; nil if it is too long.
    static func feature(line: Int, bytes: [UInt8]?) -> SourceRow {
        let row = json(line: line, bytes: bytes)
        guard case .value(let value) = row.content else { return row }
        return feature(line: line, value)
    }

    /// A row of a feature, whose geometry is reduced to a point (see ``FeaturePoint``).
    static func feature(line: Int, _ feature: JSONValue) -> SourceRow {
        guard case .object(var members) = feature else { return SourceRow(line: line, content: .unusable(.columns)) }
        if let place = members.firstIndex(where: { $0.name == "geometry" }),
            members[place].value["type"] != .text("Point")
        {
            let point = FeaturePoint.point(of: members[place].value)
            members[place].value =
                point.map { point in
                    let numbers = [point.x, point.y].map { JSONValue.number("\($0)") }
                    return .object([JSONValue.Member(name: "coordinates", value: .array(numbers))])
                } ?? .null
        }
        return SourceRow(line: line, content: .value(.object(members)))
    }

    /// A row of a JSON value; nil if it is too long.
    static func json(line: Int, bytes: [UInt8]?) -> SourceRow {
        guard let bytes else { return SourceRow(line: line, content: .unusable(.columns)) }
        if bytes.contains(TextDecoder.malformedByte) { return SourceRow(line: line, content: .unusable(.encoding)) }
        guard case .object(let members) = JSONParser.value(of: bytes) else {
            return SourceRow(line: line, content: .unusable(.columns))
        }
        return SourceRow(line: line, content: .value(.object(members)))
    }
}
