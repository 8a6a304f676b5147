import PromisedClient
import PromisedProtocol

extension Report {
    /// Nothing but that it is done.
    static func done(_ reply: WireAdminDone, _ sentence: String) -> Report {
        Report(Document(reply)) { style in style.paint(sentence, .good) }
    }

    /// Another password: the one the server made, if it did.
    static func password(_ reply: WireAdminPassword, of user: WireAdminUser) -> Report {
        Report(Document(reply)) { _ in
            reply.password.isEmpty
                ? "\(user.label) has the password given" : "\(user.label): \(reply.password.printable)"
        }
    }

    /// What was closed and ended.
    static func kicked(_ reply: WireAdminKicked, _ user: WireAdminUser) -> Report {
        Report(Document(reply)) { _ in
            let connections = MeasureText.count(Int(reply.connections), "connection")
            let signIns = MeasureText.count(Int(reply.signIns), "sign-in")
            return "\(user.label): \(connections) closed, \(signIns) ended"
        }
    }

    /// Where somebody is signed in and connected.
    static func userSessions(_ reply: WireAdminUserSessions) -> Report {
        let items = reply.signIns.map { Document($0) } + reply.connections.map { Document($0) }
        return Report(Document(reply), items: items) { style in
            "\(signIns(reply.signIns).text(style))\n\n\(connections(reply.connections).text(style))"
        }
    }

    private static func signIns(_ signIns: [WireAdminSignIn]) -> Table {
        var table = Table([.text("SIGN-IN"), .text("BEGAN"), .text("ENDS")], whenEmpty: "no sign-ins")
        for signIn in signIns {
            table.add([
                "\(signIn.sessionID)", Table.Cell(MomentText.full(signIn.createdAt, if: signIn.hasCreatedAt)),
                Table.Cell(MomentText.full(signIn.expiresAt, if: signIn.hasExpiresAt)),
            ])
        }
        return table
    }

    private static func connections(_ connections: [WireAdminConnection]) -> Table {
        var table = Table(
            [
                .text("CONNECTION"), .text("ADDRESS"), .text("CLIENT"), .text("DEVICE"), .text("CODEC"),
                .number("SUBSCRIPTIONS"), .text("SINCE"),
            ],
            whenEmpty: "no connections"
        )
        for connection in connections {
            table.add([
                "\(connection.connectionID)", "\(connection.address)", "\(connection.client)",
                "\(connection.deviceID)", "\(connection.codec)", "\(connection.subscriptions)",
                Table.Cell(MomentText.full(connection.connectedAt, if: connection.hasConnectedAt)),
            ])
        }
        return table
    }
}
