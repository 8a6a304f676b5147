import PromisedProtocol
import PromisedSimulation
import PromisedTestSupport

/// Generates steps from a seed: mostly possible ones, some impossible ones.
struct StepMaker {
    private static let minute: Int64 = 60_000
    private static let hour = 60 * minute

    private var generator: SeededGenerator
    private var made = 0
    private var specifications: [(owner: Int, specification: PromiseSpecification)] = []
    private let mostPromises = 14

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// The next step of any user, or of the clock.
    mutating func step(after model: Model) -> Step {
        let draw = Int.random(in: 0..<100, using: &generator)
        if draw < 4 { return .wait(milliseconds: span()) }
        let me = pick(from: model.alive)
        if draw == 4, model.alive.count > 3 { return .deleteAccount(by: me) }
        return request(of: me, after: model)
    }

    /// One request of each of some users, to be sent concurrently; or elapsed time.
    mutating func batch(after model: Model) -> [Step] {
        if chance(15) { return [.wait(milliseconds: span())] }
        let people = model.alive.shuffled(using: &generator).prefix(Int.random(in: 2...3, using: &generator))
        return people.map { request(of: $0, after: model) }
    }

    /// A request that is not the deletion of an account.
    mutating func request(of me: Int, after model: Model) -> Step {
        let draw = Int.random(in: 0..<100, using: &generator)
        if draw < 35 { return friendStep(of: me, in: model) }
        if draw < 47, specifications.count < mostPromises { return .create(specification(of: me, in: model), by: me) }
        if draw < 55 {
            let known = model.codes.keys.sorted()
            return .join(code: chance(8) ? nil : known.randomElement(using: &generator), by: me)
        }
        return promiseStep(of: me, in: model)
    }

    // MARK: - Friends

    private mutating func friendStep(of me: Int, in model: Model) -> Step {
        let other = pick(from: Array(0..<model.people.count))
        let pair = model.people.pair(me, other)
        let isHopeful = !chance(4)
        if isHopeful, pair.requestedBy == other { return .friend(chance(5) ? .reject : .accept, by: me, with: other) }
        if isHopeful, pair.blockedBy.contains(me) { return .friend(.unblock, by: me, with: other) }
        if isHopeful, !pair.areFriends { return .friend(chance(3) ? .requestByName : .request, by: me, with: other) }
        return .friend(pick(from: FriendAct.allCases), by: me, with: other)
    }

    // MARK: - Promises

    private mutating func specification(of me: Int, in model: Model) -> PromiseSpecification {
        let mine = specifications.filter { $0.owner == me }.map(\.specification)
        if chance(6), let earlier = mine.randomElement(using: &generator) { return again(earlier, of: me, in: model) }
        let number = number()
        let specification = PromiseSpecification(
            number: number,
            key: "key \(number)",
            title: "Promise \(number)",
            meetsAt: meetingTime(number, in: model),
            invitees: people(besides: chance(20) ? nil : me, of: me, in: model)
        )
        specifications.append((me, specification))
        return specification
    }

    /// The repeated request, or another one with its key.
    private mutating func again(_ earlier: PromiseSpecification, of me: Int, in model: Model) -> PromiseSpecification {
        let use = model.creations[Model.Key(owner: me, text: earlier.key)]
        if let use, model.now < use.at + ModelPeople.day, !chance(3) { return earlier }
        let number = number()
        var other = earlier
        other.number = number
        other.title = "Promise \(number)"
        other.meetsAt = meetingTime(number, in: model)
        return other
    }

    private mutating func promiseStep(of me: Int, in model: Model) -> Step {
        let numbers = model.promises.keys.sorted()
        let mine = numbers.filter { model.promises[$0]?.isIn(me) == true }
        guard let number = (chance(6) ? numbers : mine).randomElement(using: &generator),
            let promise = model.promises[number]
        else { return friendStep(of: me, in: model) }
        return .promise(act(of: me, on: promise, in: model), of: number, by: me)
    }

    private mutating func act(of me: Int, on promise: ModelPromise, in model: Model) -> PromiseAct {
        if promise.membership(of: me) == .invited, !chance(4) { return .respond(accept: !chance(4)) }
        let isOwner = promise.owner == me
        switch Int.random(in: 0..<16, using: &generator) {
        case 0..<(isOwner ? 6 : 1): return .update(change(of: promise, by: me, in: model))
        case 6: return .createInvite(number(), expiresInMs: chance(2) ? nil : span())
        case 7: return .revokeInvite
        case 8: return .handOver(to: pick(from: Array(0..<model.people.count)))
        case 9: return chance(3) ? .cancel : .leave
        case 10, 11: return isOwner ? .createInvite(number(), expiresInMs: nil) : .leave
        case 12: return .respond(accept: !chance(3))
        default: return .get
        }
    }

    private mutating func change(of promise: ModelPromise, by me: Int, in model: Model) -> PromiseChange {
        var change = PromiseChange(version: promise.version - (chance(5) ? 1 : 0))
        if chance(3) { change.title = chance(3) ? promise.title : "Title \(number())" }
        if chance(4) { change.meetsAt = meetingTime(number(), in: model) }
        if chance(2) { change.invite = people(besides: chance(15) ? nil : promise.owner, of: me, in: model) }
        if chance(4) {
            let others = promise.members.map(\.user).filter { $0 != me || chance(10) }
            change.remove = others.randomElement(using: &generator).map { [$0] } ?? []
        }
        return change
    }

    /// Mostly friends of the user.
    private mutating func people(besides excluded: Int?, of me: Int, in model: Model) -> [Int] {
        let friends = model.people.friends(of: me)
        let isHopeful = !chance(8)
        return (0..<model.people.count).filter { user in
            guard user != excluded, !isHopeful || friends.contains(user) else { return false }
            return !chance(3)
        }
    }

    /// No two promises meet at the same millisecond.
    private mutating func meetingTime(_ number: Int, in model: Model) -> Int64 {
        let ahead =
            switch Int.random(in: 0..<20, using: &generator) {
            case 0: 29 * StepMaker.minute
            case 1: 367 * 24 * StepMaker.hour
            case 2: ModelPromise.before
            case 3..<12: Int64.random(in: 31...90, using: &generator) * StepMaker.minute
            default: Int64.random(in: 2...60, using: &generator) * StepMaker.hour
            }
        return model.now + ahead + Int64(number)
    }

    // MARK: - Drawing

    private mutating func number() -> Int {
        made += 1
        return made
    }

    private mutating func span() -> Int64 {
        pick(from: [1_000, 5 * StepMaker.minute, 40 * StepMaker.minute, 2 * StepMaker.hour, 4 * StepMaker.hour])
    }

    private mutating func chance(_ sides: Int) -> Bool { Int.random(in: 0..<sides, using: &generator) == 0 }

    private mutating func pick<Value>(from values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &generator)]
    }
}
