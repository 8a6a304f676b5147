import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer

@testable import PromisedSettings

extension ServerWorld {
    /// The clock runs twenty times as fast; windows open a minute before the meeting.
    static func withShortLead(
        codec: WireCodec = .json,
        configure: (inout ServerSettings) -> Void = { _ in },
        _ body: @Sendable (ServerWorld) async throws -> Void
    ) async throws {
        let short: (inout ServerSettings) -> Void = { configuration in
            configuration.window.before = .minutes(1)
            configure(&configuration)
        }
        try await with(codec: codec, rate: 20, configure: short, body)
    }
}

extension Person {
    /// Creates a promise whose window opens soon, with all subscribed, and waits for the opening.
    ///
    /// - Parameter change: changes the sample promise.
    func openPromise(
        with others: [Person],
        in world: ServerWorld,
        change: (inout WireCreatePromise) -> Void = { _ in }
    ) async throws -> String {
        let people = [self] + others
        let promise = try await promise(with: others, at: world.now + .seconds(75), change: change)
        for person in people { _ = try await person.client.subscribe(promiseID: promise.promiseID) }
        let id = promise.promiseID
        for person in people {
            await person.wait { $0.contains { $0.promiseID == id && $0.what?.isTrackingStarted == true } }
        }
        return id
    }

    /// The reply to a request that must not be refused.
    func reply(_ request: WireRequest) async throws -> WireContent { try await client.call(request) }

    /// The promise as this person sees it.
    func see(_ promiseID: String) async throws -> WirePromise { try await client.getPromise(promiseID) }

    /// Another participant's part in a promise as this user sees it.
    func part(of other: Person, in promiseID: String) async throws -> WireParticipant? {
        try await see(promiseID).participants.first { $0.user.userID == other.id }
    }

    /// The numbered events of a promise that were received, in order.
    func durable(of promiseID: String) -> [WireEvent] {
        received.filter { $0.promiseID == promiseID && $0.seq > 0 }
    }
}

extension WireEvent.OneOf_What {
    /// The event's name on the wire, for comparisons.
    var name: String { String(Mirror(reflecting: self).children.first?.label ?? "\(self)") }
}
