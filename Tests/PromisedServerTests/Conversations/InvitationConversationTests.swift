import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedTestMarks
import SwiftProtobuf
import Testing

/// Invitations as received by the invited user and the current subscribers.
@Suite(.timeLimit(.minutes(1)))
struct InvitationConversationTests {
    @Test(.proves("invited"), arguments: WireCodec.allCases)
    func `notifies a connection of each invitation once, also after repeated sign-ins`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada", "Bea", "Cid", "Dan") { people in
                let (ada, bea, cid, dan) = (people[0], people[1], people[2], people[3])
                for friend in [bea, cid, dan] { try await ada.befriend(friend) }
                for _ in 0..<2 { _ = try await bea.client.hello() }
                let request = WireCreatePromise.sample(meetsAt: world.now + .hours(2), invitees: [bea, cid, bea])
                let id = try await ada.client.createPromise(request).promise.promiseID
                // As a client does after a lost reply.
                _ = try await ada.client.createPromise(request)
                for _ in 0..<2 { _ = try await bea.client.respond(promiseID: id, accept: true) }
                for _ in 0..<2 { _ = try await bea.client.subscribe(promiseID: id) }
                for _ in 0..<2 {
                    let version = try await ada.see(id).version
                    let update = WireUpdatePromise.with {
                        $0.promiseID = id
                        $0.version = version
                        $0.invite = [dan.id, dan.id, bea.id]
                    }
                    _ = try await ada.client.updatePromise(update)
                }
                for person in people { _ = try await person.client.getMe() }
                // Bea and Cid are invited by 1 and 2, she joins by 3, Dan is invited by 4.
                #expect(bea.invitations(to: id) == [1, 4])
                #expect(cid.invitations(to: id) == [2])
                #expect(dan.invitations(to: id) == [4])
                #expect(ada.invitations(to: id) == [])
            }
        }
    }
}

extension Person {
    /// The numbers of the received invitations to a promise, in order.
    fileprivate func invitations(to promiseID: String) -> [UInt32] {
        received.filter { $0.promiseID == promiseID && $0.what?.name == "invited" }.map(\.seq)
    }
}
