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
        WireAdminUser.with {
            $0.user = .sample(nickname)
            $0.email = "\(nickname)@example.org"
        }
    }
}

extension WireUserCard {
    /// A card whose id ends in the nickname.
    static func sample(_ nickname: String) -> WireUserCard {
        WireUserCard.with {
            $0.nickname = nickname
            $0.userID = "id-of-\(nickname)"
        }
    }
}

extension WireAdminUsers {
    /// The found users of these names; otherwise suggestions.
    static func sample(_ nicknames: [String], suggestions: [String] = []) -> WireAdminUsers {
        WireAdminUsers.with {
            $0.users = nicknames.map(WireAdminUser.sample)
            $0.suggestions = suggestions
        }
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
            return WireParticipant.with {
                $0.user = .sample(nickname)
                $0.membership = .accepted
                $0.sharing = true
            }
        }
        promise.ownerID = promise.participants.first?.user.userID ?? ""
        return promise
    }
}

extension WireAdminPosition {
    /// A position of a user's device at a second of 12:00.
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
