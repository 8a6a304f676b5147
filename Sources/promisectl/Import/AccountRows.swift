import Foundation
import PromisedFormats

/// An account to create, from one row of a file.
struct AccountRow: Hashable, Sendable {
    /// The line it begins on, from 1.
    var line: Int
    var nickname: String
    var email: String
    var password: String
}

/// A row that cannot be imported.
struct BadRow: Hashable, Sendable, Encodable {
    /// The line it begins on, from 1.
    var line: Int
    /// The problem, for people.
    var problem: String
}

/// The rows of a file of accounts: plausible ones, and invalid ones.
struct AccountRows: Hashable, Sendable {
    /// The columns of the header, each once, in any order and case.
    static let columns = ["nickname", "email", "password"]

    /// In the file's order.
    private(set) var good: [AccountRow] = []
    /// In the file's order.
    private(set) var bad: [BadRow] = []

    /// The rows of a CSV document with a header. Throws `usage` if it is not CSV, or has another header.
    init(csv text: String) throws(Failure) {
        let records = CSVReader.records(of: text)
        if let problem = records.lazy.compactMap(\.problem).first { throw .usage(problem.description) }
        guard let header = records.first else { throw .usage("the file is empty: add a header row") }
        let places = try Self.places(in: header)
        guard records.count > 1 else { throw .usage("the file has a header and no rows") }
        var seen = Seen()
        for record in records.dropFirst() {
            guard record.count == header.count else {
                let counts = "\(record.count) fields instead of \(header.count)"
                bad.append(BadRow(line: record.line, problem: counts))
                continue
            }
            let values = places.map { record[$0] }
            let row = AccountRow(line: record.line, nickname: values[0], email: values[1], password: values[2])
            if let problem = seen.problem(of: row) {
                bad.append(BadRow(line: row.line, problem: problem))
            } else {
                good.append(row)
            }
        }
    }

    /// The indexes of the columns, in the order of ``columns``.
    private static func places(in header: CSVRecord) throws(Failure) -> [Int] {
        let names = header.fields.map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        var places: [Int] = []
        for column in columns {
            guard let place = names.firstIndex(of: column) else {
                throw .usage("the header has no column \(column); it needs \(columns.joined(separator: ","))")
            }
            places.append(place)
        }
        guard names.count == columns.count else {
            throw .usage("the header has more columns than \(columns.joined(separator: ","))")
        }
        return places
    }
}

/// Names and addresses of the earlier rows, to find duplicates.
private struct Seen {
    private var nicknames: [String: Int] = [:]
    private var emails: [String: Int] = [:]

    /// The problem of a row, alone or in relation to earlier ones; of duplicates the first stays good.
    mutating func problem(of row: AccountRow) -> String? {
        for (name, value) in [("nickname", row.nickname), ("email", row.email), ("password", row.password)]
        where value.isEmpty { return "the \(name) is empty" }
        let (nickname, email) = (Self.key(row.nickname), Self.key(row.email))
        if let line = nicknames[nickname] { return "the nickname is already in line \(line)" }
        if let line = emails[email] { return "the e-mail is already in line \(line)" }
        nicknames[nickname] = row.line
        emails[email] = row.line
        return nil
    }

    /// The same key for texts that differ only in case or composition, as on the server.
    private static func key(_ text: String) -> String { text.precomposedStringWithCanonicalMapping.lowercased() }
}
