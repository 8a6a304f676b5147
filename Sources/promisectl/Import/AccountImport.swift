import PromisedClient

/// Checks all rows of a file with the server, then creates their accounts.
struct AccountImport: Sendable {
    struct Outcome: Hashable, Sendable, Encodable {
        /// How many accounts were created, or would be with `onlyChecks`.
        var imported: Int
        /// Ascending by line.
        var bad: [BadRow]
    }

    /// `true` to import the good rows even if others are bad.
    let skipsBad: Bool
    /// `true` to import nothing.
    let onlyChecks: Bool

    /// Imports the rows; none if any row is bad, unless bad rows are skipped.
    func run(_ rows: AccountRows, with administration: any Administration) async throws(Failure) -> Outcome {
        let (good, found) = try await send(rows.good, checkOnly: true, with: administration)
        var bad = rows.bad + found
        var made = good
        if onlyChecks { return Outcome(imported: good.count, bad: Self.sorted(bad)) }
        guard bad.isEmpty || skipsBad else { return Outcome(imported: 0, bad: Self.sorted(bad)) }
        // A name may have been taken meanwhile, so the server can still refuse a good row.
        let late: [BadRow]
        (made, late) = try await send(good, checkOnly: false, with: administration)
        bad += late
        return Outcome(imported: made.count, bad: Self.sorted(bad))
    }

    private func send(
        _ rows: [AccountRow],
        checkOnly: Bool,
        with administration: any Administration
    ) async throws(Failure) -> (good: [AccountRow], bad: [BadRow]) {
        var good: [AccountRow] = []
        var bad: [BadRow] = []
        for row in rows {
            if let problem = try await problem(of: row, checkOnly: checkOnly, with: administration) {
                bad.append(BadRow(line: row.line, problem: problem))
            } else {
                good.append(row)
            }
        }
        return (good, bad)
    }

    /// Why the server refuses a row; nil if it accepts it.
    private func problem(
        of row: AccountRow,
        checkOnly: Bool,
        with administration: any Administration
    ) async throws(Failure) -> String? {
        do throws(Failure) {
            _ = try await administration.ask(
                .createUser(nickname: row.nickname, email: row.email, password: row.password, checkOnly: checkOnly)
            )
            return nil
        } catch {
            guard case .refused(let why) = error else { throw error }
            return why
        }
    }

    private static func sorted(_ rows: [BadRow]) -> [BadRow] { rows.sorted { $0.line < $1.line } }
}
