import PromisedProtocol

/// All actions of five users with friends and promises, written only from docs/domain.md: without code of the server,
/// slow, and sequential.
struct Model: Hashable, Sendable {
    struct Key: Hashable, Sendable {
        var owner: Int
        var text: String
    }

    struct Creation: Hashable, Sendable {
        var specification: PromiseSpecification
        var at: Int64
    }

    struct Code: Hashable, Sendable {
        var promise: Int
        var expiresAt: Int64?
        var isRevoked = false
    }

    var now: Int64
    var people: ModelPeople
    var promises: [Int: ModelPromise] = [:]
    var creations: [Key: Creation] = [:]
    var codes: [Int: Code] = [:]
    /// Each user's position in the order of ids.
    let order: [Int]

    init(now: Int64, order: [Int]) {
        self.now = now
        self.order = order
        people = ModelPeople(count: order.count)
    }

    /// Those who still have an account.
    var alive: [Int] { (0..<people.count).filter { !people.deleted.contains($0) } }

    /// Performs a step and returns its outcome.
    mutating func take(_ step: Step) -> Outcome {
        do throws(No) {
            return try perform(step)
        } catch {
            return .refused(error.code)
        }
    }

    private mutating func perform(_ step: Step) throws(No) -> Outcome {
        switch step {
        case .friend(let act, let me, let other):
            return .friendship(try people.perform(act, by: me, with: other, at: now))
        case .create(let specification, let me): return try create(specification, by: me)
        case .promise(let act, let number, let me): return try perform(act, on: number, by: me)
        case .join(let code, let me): return try join(code, by: me)
        case .deleteAccount(let me):
            delete(me)
            return .done
        case .wait(let milliseconds):
            now += milliseconds
            return .done
        }
    }

    private mutating func delete(_ me: Int) {
        people.delete(me)
        for number in promises.keys { promises[number]?.part(me, at: now, order: order) }
        creations = creations.filter { $0.key.owner != me }
    }

    // MARK: - What people see

    /// All that a user can query now.
    func sight(of user: Int) -> Sight {
        var sight = Sight()
        sight.friends = people.friends(of: user)
        sight.incoming = people.incoming(of: user)
        sight.outgoing = people.outgoing(of: user)
        for list in Sight.allLists { sight.lists[list] = numbers(in: list, of: user) }
        for number in promises.keys {
            var later = self
            sight.promises[number] = later.take(.promise(.get, of: number, by: user))
        }
        return sight
    }

    private func numbers(in list: WirePromiseList.Value, of user: Int) -> [Int] {
        let found = promises.values.filter { promise in
            let status = promise.status(at: now)
            let membership = promise.membership(of: user)
            return switch list {
            case .upcoming: membership == .accepted && status == .scheduled
            case .tracking: membership == .accepted && (status == .tracking || status == .settling)
            case .past: promise.tookPart(user) && (status == .final || status == .cancelled)
            case .invited: membership == .invited && !promise.isClosed(at: now)
            case .unspecified, .UNRECOGNIZED: false
            }
        }
        let ascending = found.sorted { $0.meetsAt < $1.meetsAt }.map(\.number)
        return list == .past ? ascending.reversed() : ascending
    }
}
