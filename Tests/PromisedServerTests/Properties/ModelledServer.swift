import PromisedClient
import PromisedConcurrency
import PromisedDomain
import PromisedProtocol
import PromisedTestSupport
import PromisedWire

/// A real server that performs the steps of the model: over sockets, one connection for each user.
final class ModelledServer: Sendable {
    static let names = ["Ada", "Bea", "Cid", "Dan", "Eve"]

    struct Books: Sendable {
        var promises: [Int: String] = [:]
        var codes: [Int: String] = [:]
    }

    /// The server sent an invalid reply to the request.
    struct Surprise: Error, CustomStringConvertible {
        let description: String
    }

    let people: [Person]
    let clock: ManualClock
    private let books = Guarded(Books())

    init(people: [Person], clock: ManualClock) {
        self.people = people
        self.clock = clock
    }

    /// The model of a server without any steps.
    var model: Model {
        let ids = people.map(\.id)
        return Model(now: clock.now.milliseconds, order: ids.map { id in ids.filter { $0 < id }.count })
    }

    /// Performs a step and returns its outcome.
    func take(_ step: Step) async throws -> Outcome {
        if case .wait(let milliseconds) = step {
            clock.advance(by: .milliseconds(milliseconds))
            return .done
        }
        guard let actor = step.actor else { return .done }
        return try await outcome(of: request(for: step), by: actor, noting: step)
    }

    /// All that a user can query.
    func sight(of user: Int, promises: [Int]) async throws -> Sight {
        var sight = Sight()
        let client = people[user].client
        sight.friends = try await client.listFriends().users.map { try number(ofUser: $0.userID) }
        let requests = try await client.listFriendRequests()
        sight.incoming = Set(try requests.incoming.map { try number(ofUser: $0.userID) })
        sight.outgoing = Set(try requests.outgoing.map { try number(ofUser: $0.userID) })
        for list in Sight.allLists {
            sight.lists[list] = try await client.listPromises(list, limit: 50).promises.map {
                try number(ofPromise: $0.promiseID)
            }
        }
        for promise in promises { sight.promises[promise] = try await take(.promise(.get, of: promise, by: user)) }
        return sight
    }

    /// The id of a promise, if it was made.
    func promiseID(_ number: Int) -> String? { books.withLock { $0.promises[number] } }

    func number(ofUser id: String) throws -> Int {
        guard let number = people.firstIndex(where: { $0.id == id }) else { throw Surprise(description: "user \(id)") }
        return number
    }

    // MARK: - Queries

    private func outcome(of request: WireRequest, by actor: Int, noting step: Step) async throws -> Outcome {
        let content: WireContent
        do throws(ClientError) {
            content = try await people[actor].client.call(request)
        } catch {
            guard let code = error.code else { throw Surprise(description: "\(step): \(error)") }
            return .refused(code)
        }
        return try read(content, noting: step)
    }

    private func read(_ content: WireContent, noting step: Step) throws -> Outcome {
        switch content {
        case .done: return .done
        case .friendship(let friendship): return .friendship(friendship.state)
        case .invite(let invite):
            if case .promise(.createInvite(let number, _), _, _) = step {
                books.withLock { $0.codes[number] = invite.code }
            }
            return .done
        case .promise(let reply):
            if case .create(let specification, _) = step {
                books.withLock {
                    $0.promises[specification.number] = $0.promises[specification.number] ?? reply.promise.promiseID
                }
            }
            let overlaps = try reply.overlaps.map { try number(ofPromise: $0.promiseID) }
            return .promise(try seen(reply.promise), overlaps: overlaps)
        default: throw Surprise(description: "\(step): \(content)")
        }
    }

    private func number(ofPromise id: String) throws -> Int {
        let known = books.withLock { $0.promises.first { $0.value == id }?.key }
        guard let known else { throw Surprise(description: "promise \(id)") }
        return known
    }

    private func seen(_ promise: WirePromise) throws -> SeenPromise {
        let members = try promise.participants.map { part in
            SeenPromise.Member(
                user: try number(ofUser: part.user.userID),
                membership: part.membership,
                sharing: part.sharing,
                isDeleted: part.user.deleted && part.user.nickname == "deleted user"
            )
        }
        return SeenPromise(
            number: try number(ofPromise: promise.promiseID),
            title: promise.title,
            meetsAt: try Instant(wire: promise.meetsAt, field: "meetsAt").milliseconds,
            owner: try number(ofUser: promise.ownerID),
            version: Int(promise.version),
            status: promise.status,
            members: members.sorted { $0.user < $1.user },
            participantCount: Int(promise.participantCount)
        )
    }

    func code(_ number: Int?) -> String {
        books.withLock { books in number.flatMap { books.codes[$0] } } ?? "0000000000"
    }
}
