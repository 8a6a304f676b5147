import PromisedCommandLine
import PromisedProtocol

extension WireAdminUser {
    var label: String { user.nickname.printable }

    fileprivate var state: (word: String, tone: Tone) {
        if hasDeletedAt || user.deleted { return ("deleted", .faint) }
        return hasDisabledAt ? ("disabled", .warning) : ("active", .plain)
    }
}

extension Report {
    static func users(_ page: WireAdminUsers) -> Report {
        list(
            page,
            of: page.users,
            [
                "NICKNAME", "E-MAIL", "STATE", .number("FRIENDS"), .number("PROMISES"),
                .number("CONNECTIONS"), "CREATED", "ID",
            ],
            whenEmpty: "no users"
        ) { user in
            [
                "\(user.user.nickname)", "\(user.email)", Table.Cell(user.state.word, user.state.tone),
                "\(user.friends)", "\(user.promises)", "\(user.connections)",
                Table.Cell(MomentText.full(user.createdAt, if: user.hasCreatedAt)),
                Table.Cell(user.user.userID, .faint),
            ]
        }
    }

    static func user(_ user: WireAdminUser) -> Report {
        Report(Document(user)) { style in
            var fields = FieldList()
            fields.add("nickname", user.user.nickname, .heading)
            fields.add("id", user.user.userID)
            fields.add("e-mail", user.email)
            fields.add("issuer", user.issuer)
            fields.add("state", user.state.word, user.state.tone)
            fields.add("created", MomentText.full(user.createdAt, if: user.hasCreatedAt))
            fields.add("disabled", MomentText.full(user.disabledAt, if: user.hasDisabledAt))
            fields.add("deleted", MomentText.full(user.deletedAt, if: user.hasDeletedAt))
            fields.add("locale", user.locale)
            fields.add("time zone", user.timeZone)
            fields.add("friends", "\(user.friends)")
            fields.add("promises", "\(user.promises)")
            fields.add("connections", "\(user.connections)")
            if user.hasStatistics { add(user.statistics, to: &fields) }
            return fields.text(style)
        }
    }

    private static func add(_ statistics: WireStatistics, to fields: inout FieldList) {
        let counts = "early \(statistics.early), on time \(statistics.onTime), late \(statistics.late)"
        fields.add("results", "\(statistics.counted) (\(counts), no-show \(statistics.noShow))")
        if statistics.hasPunctualityPercent {
            fields.add("punctuality", MeasureText.number(statistics.punctualityPercent, decimals: 1) + " %")
        }
        fields.add("tier", statistics.tier)
    }

    static func friends(_ page: WireFriends) -> Report {
        list(page, of: page.users, ["NICKNAME", "ID"], whenEmpty: "no friends") { user in
            ["\(user.nickname)", Table.Cell(user.userID, .faint)]
        }
    }

    /// A user's open friend requests; a line for machines contains the user and `incoming` or `outgoing`.
    static func friendRequests(_ page: WireFriendRequests) -> Report {
        let requests = page.incoming.map { ("incoming", $0) } + page.outgoing.map { ("outgoing", $0) }
        let items = requests.map { direction, user in
            Document(FriendRequestItem(direction: direction, nickname: user.nickname, userId: user.userID))
        }
        return Report(Document(page), items: items) { style in
            Table(["DIRECTION", "NICKNAME", "ID"], whenEmpty: "no friend requests", of: requests) { (direction, user) in
                ["\(direction)", "\(user.nickname)", Table.Cell(user.userID, .faint)]
            }.text(style)
        }
    }
}

/// A friend request as one line for machines.
private struct FriendRequestItem: Encodable {
    let direction: String
    let nickname: String
    let userId: String
}
