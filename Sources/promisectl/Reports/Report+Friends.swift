import PromisedProtocol

extension Report {
    /// Somebody's friends.
    static func friends(_ page: WireFriends) -> Report {
        Report(Document(page), items: page.users.map { Document($0) }) { style in
            var table = Table([.text("NICKNAME"), .text("ID")], whenEmpty: "no friends")
            for user in page.users { table.add(["\(user.nickname)", Table.Cell(user.userID, .faint)]) }
            return table.text(style)
        }
    }

    /// Somebody's open friend requests; a line for machines holds the user and `incoming` or `outgoing`.
    static func friendRequests(_ page: WireFriendRequests) -> Report {
        let requests = page.incoming.map { ("incoming", $0) } + page.outgoing.map { ("outgoing", $0) }
        let items = requests.map { direction, user in
            Document(FriendRequestItem(direction: direction, nickname: user.nickname, userId: user.userID))
        }
        return Report(Document(page), items: items) { style in
            var table = Table([.text("DIRECTION"), .text("NICKNAME"), .text("ID")], whenEmpty: "no friend requests")
            for (direction, user) in requests {
                table.add(["\(direction)", "\(user.nickname)", Table.Cell(user.userID, .faint)])
            }
            return table.text(style)
        }
    }
}

/// A friend request as one line for machines.
private struct FriendRequestItem: Encodable {
    let direction: String
    let nickname: String
    let userId: String
}
