import PromisedProtocol
import PromisedWire
import SwiftProtobuf

@testable import promisectl

extension WireTimestamp {
    /// An instant as RFC 3339 writes it.
    static func sample(_ text: String) throws -> WireTimestamp { try WireTimestamp(jsonString: "\"\(text)\"") }
}

extension WireAdminUser {
    /// A user whose id ends in their nickname.
    static func sample(_ nickname: String) -> WireAdminUser {
        var user = WireAdminUser()
        user.user = .sample(nickname)
        user.email = "\(nickname)@example.org"
        return user
    }
}

extension WireUserCard {
    /// A card whose id ends in the nickname.
    static func sample(_ nickname: String) -> WireUserCard {
        var card = WireUserCard()
        card.nickname = nickname
        card.userID = "id-of-\(nickname)"
        return card
    }
}

extension WireAdminUsers {
    /// The users of these names, who are found; suggestions where nobody is.
    static func sample(_ nicknames: [String], suggestions: [String] = []) -> WireAdminUsers {
        var users = WireAdminUsers()
        users.users = nicknames.map(WireAdminUser.sample)
        users.suggestions = suggestions
        return users
    }
}

extension WirePromise {
    /// Lunch at a café with people who accepted; the first is the owner.
    static func sample(_ nicknames: [String] = ["ada", "bob"]) throws -> WirePromise {
        var promise = WirePromise()
        promise.promiseID = "01932a4e-0000-7000-8000-00000000000a"
        promise.title = "Lunch"
        promise.place.name = "Café"
        promise.place.latitude = 52.52
        promise.place.longitude = 13.405
        promise.radiusMetres = 50
        promise.status = .scheduled
        promise.version = 3
        promise.meetsAt = try .sample("2026-11-21T12:30:00Z")
        promise.opensAt = try .sample("2026-11-21T12:00:00Z")
        promise.closesAt = try .sample("2026-11-21T15:30:00Z")
        promise.settlesAt = try .sample("2026-11-21T15:45:00Z")
        promise.participants = nicknames.map { nickname in
            var participant = WireParticipant()
            participant.user = .sample(nickname)
            participant.membership = .accepted
            participant.sharing = true
            return participant
        }
        promise.ownerID = promise.participants.first?.user.userID ?? ""
        return promise
    }
}

extension WireAdminPosition {
    /// A position of somebody's device at a second of 12:00.
    static func sample(
        _ nickname: String,
        device: UInt32 = 1,
        second: Int,
        latitude: Double
    ) throws
        -> WireAdminPosition
    {
        var position = WireAdminPosition()
        position.userID = WireUserCard.sample(nickname).userID
        position.device = device
        position.fix.seq = UInt32(second)
        position.fix.latitude = latitude
        position.fix.longitude = 13.405
        position.fix.accuracyMetres = 5
        position.fixTime = try .sample("2026-11-21T12:00:\(second < 10 ? "0" : "")\(second).250Z")
        position.receivedAt = try .sample("2026-11-21T12:00:\(second < 10 ? "0" : "")\(second).500Z")
        return position
    }
}
