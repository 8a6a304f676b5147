import PromisedProtocol

extension Report {
    /// A new token: for people the secret stands alone on the first line.
    static func newToken(_ reply: WireAdminNewToken) -> Report {
        Report(Document(reply)) { style in
            var fields = FieldList()
            fields.add("id", reply.token.tokenID)
            fields.add("for", reply.token.name)
            let end = MomentText.full(reply.token.expiresAt, if: reply.token.hasExpiresAt)
            fields.add("valid until", end.isEmpty ? "it is revoked" : end)
            return "\(reply.secret.printable)\n\n\(fields.text(style))"
        }
    }

    /// The administrators' tokens.
    static func tokens(_ reply: WireAdminTokens) -> Report {
        Report(Document(reply), items: reply.tokens.map { Document($0) }) { style in
            var table = Table(
                [
                    .text("FOR"), .text("CREATED"), .text("EXPIRES"), .text("REVOKED"), .text("LAST USED"),
                    .text("ID"),
                ],
                whenEmpty: "no tokens"
            )
            for token in reply.tokens {
                table.add([
                    "\(token.name)", Table.Cell(MomentText.full(token.createdAt, if: token.hasCreatedAt)),
                    Table.Cell(MomentText.full(token.expiresAt, if: token.hasExpiresAt)),
                    Table.Cell(MomentText.full(token.revokedAt, if: token.hasRevokedAt), .warning),
                    Table.Cell(MomentText.full(token.lastUsedAt, if: token.hasLastUsedAt)),
                    Table.Cell(token.tokenID, .faint),
                ])
            }
            return table.text(style)
        }
    }
}
