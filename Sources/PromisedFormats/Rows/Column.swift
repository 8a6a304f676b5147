/// The name of a column of a row, as an operator writes it: a header's text or a number from 1 in CSV, a name or names
/// joined by dots in JSON.
///
/// In GeoJSON a name is that of a property; `@id`, `@longitude` and `@latitude` are the feature's id and its point.
package struct Column: Hashable, Sendable {
    /// As written.
    package let text: String
    /// Where a CSV record has the column, from 0; nil until ``resolve(in:)``.
    private var index: Int?
    /// In JSON: the candidate paths, in order.
    private var paths: [[String]]

    /// The column of a text that is not empty.
    package init(_ text: String) {
        self.text = text
        paths = Self.paths(text)
    }

    /// Finds the column in a file.
    ///
    /// - Returns: `false` if the file cannot contain it.
    mutating func resolve(in columns: FileColumns) -> Bool {
        switch columns {
        case .numbered(let count):
            index = Self.index(text)
            return index.map { (0..<count).contains($0) } ?? false
        case .named(let names):
            index = names.firstIndex(of: text) ?? Self.index(text)
            return index.map(names.indices.contains) ?? false
        case .members: return true
        case .features:
            paths = Self.paths(inFeature: text)
            return true
        }
    }

    /// The column's text in a row; nil if it is missing, or not a text, number or truth value.
    func value(in row: SourceRow) -> String? {
        switch row.content {
        case .record(let record): index.flatMap { $0 < record.count ? record[$0] : nil }
        case .value(let value): value.firstScalar(at: paths)
        case .unusable: nil
        }
    }

    /// The index of a number from 1; nil for any other text.
    private static func index(_ text: String) -> Int? { Int(text).flatMap { $0 >= 1 ? $0 - 1 : nil } }

    /// The name itself may contain dots; it takes precedence over the path.
    private static func paths(_ text: String) -> [[String]] {
        let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        return names.count == 1 ? [[text]] : [[text], names]
    }

    private static func paths(inFeature text: String) -> [[String]] {
        switch text {
        case "@longitude": [["geometry", "coordinates", "0"]]
        case "@latitude": [["geometry", "coordinates", "1"]]
        // Overpass writes OpenStreetMap's id as the property "@id", others as the feature's id.
        case "@id": [["id"], ["properties", "@id"]]
        default: paths(text).map { ["properties"] + $0 }
        }
    }
}

/// The known columns of a file.
enum FileColumns: Hashable, Sendable {
    /// CSV without a header.
    case numbered(count: Int)
    /// The header of CSV; white space in each name is trimmed and collapsed to single blanks.
    case named([String])
    /// JSON objects, which may have any members.
    case members
    /// Features of GeoJSON.
    case features
}

extension JSONValue {
    /// The text of the first path that leads to a scalar.
    fileprivate func firstScalar(at paths: [[String]]) -> String? {
        for path in paths {
            if let text = value(at: path)?.scalarText { return text }
        }
        return nil
    }
}
