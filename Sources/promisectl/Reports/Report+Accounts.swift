import PromisedClient
import PromisedCommandLine
import PromisedProtocol

extension Report {
    static func done(_ reply: WireAdminDone, _ sentence: String) -> Report {
        Report(Document(reply)) { style in style.paint(sentence, .good) }
    }

    /// A new password: shown if the server generated it.
    static func password(_ reply: WireAdminPassword, of user: WireAdminUser) -> Report {
        Report(Document(reply)) { _ in
            reply.password.isEmpty
                ? "\(user.label) has the given password" : "\(user.label): \(reply.password.printable)"
        }
    }

    /// The closed connections and ended sessions.
    static func kicked(_ reply: WireAdminKicked, _ user: WireAdminUser) -> Report {
        Report(Document(reply)) { _ in
            let connections = MeasureText.count(Int(reply.connections), "connection")
            let signIns = MeasureText.count(Int(reply.signIns), "sign-in")
            return "\(user.label): \(connections) closed, \(signIns) ended"
        }
    }

    static func userSessions(_ reply: WireAdminUserSessions) -> Report {
        let items = reply.signIns.map { Document($0) } + reply.connections.map { Document($0) }
        return Report(Document(reply), items: items) { style in
            "\(signIns(reply.signIns).text(style))\n\n\(connections(reply.connections).text(style))"
        }
    }

    private static func signIns(_ signIns: [WireAdminSignIn]) -> Table {
        Table(["SIGN-IN", "BEGAN", "ENDS"], whenEmpty: "no sign-ins", of: signIns) { signIn in
            [
                "\(signIn.sessionID)", Table.Cell(MomentText.full(signIn.createdAt, if: signIn.hasCreatedAt)),
                Table.Cell(MomentText.full(signIn.expiresAt, if: signIn.hasExpiresAt)),
            ]
        }
    }

    private static func connections(_ connections: [WireAdminConnection]) -> Table {
        Table(
            ["CONNECTION", "ADDRESS", "CLIENT", "DEVICE", "CODEC", .number("SUBSCRIPTIONS"), "SINCE"],
            whenEmpty: "no connections",
            of: connections
        ) { connection in
            [
                "\(connection.connectionID)", "\(connection.address)", "\(connection.client)",
                "\(connection.deviceID)", "\(connection.codec)", "\(connection.subscriptions)",
                Table.Cell(MomentText.full(connection.connectedAt, if: connection.hasConnectedAt)),
            ]
        }
    }

    /// A new token: for people, the first line contains only the secret.
    static func newToken(_ reply: WireAdminNewToken) -> Report {
        Report(Document(reply)) { style in
            var fields = FieldList()
            fields.add("id", reply.token.tokenID)
            fields.add("for", reply.token.name)
            let end = MomentText.full(reply.token.expiresAt, if: reply.token.hasExpiresAt)
            fields.add("valid until", end.isEmpty ? "revoked" : end)
            return "\(reply.secret.printable)\n\n\(fields.text(style))"
        }
    }

    static func tokens(_ reply: WireAdminTokens) -> Report {
        list(
            reply,
            of: reply.tokens,
            ["FOR", "CREATED", "EXPIRES", "REVOKED", "LAST USED", "ID"],
            whenEmpty: "no tokens"
        ) { token in
            [
                "\(token.name)", Table.Cell(MomentText.full(token.createdAt, if: token.hasCreatedAt)),
                Table.Cell(MomentText.full(token.expiresAt, if: token.hasExpiresAt)),
                Table.Cell(MomentText.full(token.revokedAt, if: token.hasRevokedAt), .warning),
                Table.Cell(MomentText.full(token.lastUsedAt, if: token.hasLastUsedAt)),
                Table.Cell(token.tokenID, .faint),
            ]
        }
    }

    /// The outcome of an import. It succeeds despite skipped bad rows, unless no row was good.
    static func imported(_ outcome: AccountImport.Outcome, onlyChecked: Bool, skipsBad: Bool) -> Report {
        let isFine = outcome.bad.isEmpty || (skipsBad && !onlyChecked && outcome.imported > 0)
        return Report(Document(outcome), items: outcome.bad.map { Document($0) }, status: isFine ? .done : .refused) {
            style in
            let table = Table([.number("LINE"), "PROBLEM"], of: outcome.bad) { row in
                ["\(row.line)", Table.Cell(row.problem, .bad)]
            }
            let count = MeasureText.count(outcome.imported, "user")
            let bad = MeasureText.count(outcome.bad.count, "invalid row")
            let done = onlyChecked ? "\(count) can be imported" : "\(count) imported"
            guard !outcome.bad.isEmpty else { return style.paint(done, .good) }
            let hint =
                isFine || onlyChecked || skipsBad || outcome.imported > 0 ? "" : "; --skip-bad imports the others"
            return "\(table.text(style))\n\n\(done), \(bad)\(hint)"
        }
    }
}
