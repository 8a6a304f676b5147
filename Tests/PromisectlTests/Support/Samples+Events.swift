import PromisedProtocol
import PromisedWire
import SwiftProtobuf

@testable import promisectl

extension WireSubscribed {
    /// A snapshot of lunch with people who accepted.
    static func sample(_ nicknames: [String] = ["ada", "bob"], seq: UInt32 = 10) throws -> WireSubscribed {
        var reply = WireSubscribed()
        reply.epoch = "1"
        reply.seq = seq
        reply.snapshot = try .sample(nicknames)
        return reply
    }
}

extension WireEvent {
    /// Distances in metres at 12:28:00.
    static func positions(_ distances: [(nickname: String, metres: Double)]) throws -> WireEvent {
        var event = WireEvent()
        event.at = try .sample("2026-11-21T12:28:00Z")
        event.promiseID = "01932a4e-0000-7000-8000-00000000000a"
        event.positions.positions = distances.map { nickname, metres in
            return WirePosition.with {
                $0.userID = WireUserCard.sample(nickname).userID
                $0.distanceMetres = metres
            }
        }
        return event
    }

    /// An early arrival at 12:29:55.
    static func arrived(_ nickname: String, rank: UInt32, seq: UInt32) throws -> WireEvent {
        var event = WireEvent()
        event.promiseID = "01932a4e-0000-7000-8000-00000000000a"
        event.seq = seq
        event.at = try .sample("2026-11-21T12:30:01Z")
        event.arrived.arrival.userID = WireUserCard.sample(nickname).userID
        event.arrived.arrival.rank = rank
        event.arrived.arrival.outcome = .early
        event.arrived.arrival.secondsFromMeeting = -5
        event.arrived.arrival.stage = .provisional
        event.arrived.arrival.creditedAt = try .sample("2026-11-21T12:29:55Z")
        return event
    }

    /// The empty result, at 15:45:00.
    static func final(seq: UInt32) throws -> WireEvent {
        var event = WireEvent()
        event.at = try .sample("2026-11-21T15:45:00Z")
        event.promiseID = "01932a4e-0000-7000-8000-00000000000a"
        event.seq = seq
        event.resultFinal.result.promiseID = "01932a4e-0000-7000-8000-00000000000a"
        return event
    }
}
