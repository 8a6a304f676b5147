import PromisedProtocol

extension Model {
    mutating func create(_ specification: PromiseSpecification, by me: Int) throws(No) -> Outcome {
        if specification.invitees.contains(me) { throw No(.requestInvalid) }
        let key = Key(owner: me, text: specification.key)
        if let earlier = creations[key], now < earlier.at + ModelPeople.day {
            guard earlier.specification == specification else { throw No(.promiseKeyReused) }
            return try show(specification.number, to: me, withOverlaps: true)
        }
        try ModelPromise.requireTime(specification.meetsAt, at: now)
        guard specification.invitees.allSatisfy({ people.areFriends(me, $0) }) else { throw No(.promiseNotFriend) }
        promises[specification.number] = ModelPromise(specification, by: me, at: now)
        creations[key] = Creation(specification: specification, at: now)
        return try show(specification.number, to: me, withOverlaps: true)
    }

    mutating func perform(_ act: PromiseAct, on number: Int, by me: Int) throws(No) -> Outcome {
        guard let promise = promises[number], promise.membership(of: me) != nil else { throw No(.promiseNotFound) }
        switch act {
        case .get: break
        case .respond(let accept):
            try respond(accept, to: promise, by: me)
            return try show(number, to: me, withOverlaps: accept, evenIfGone: true)
        case .leave:
            try leave(promise, by: me)
            return try show(number, to: me, evenIfGone: true)
        case .cancel:
            try requireOwner(of: promise, me)
            if promise.isOver(at: now) { throw No(.promiseClosed) }
            promises[number]?.isCancelled = true
        case .handOver(let heir): try handOver(promise, to: heir, by: me)
        case .update(let change):
            try update(promise, change, by: me)
            return try show(number, to: me, withOverlaps: change.meetsAt != nil)
        case .createInvite(let code, let span):
            try requireOwner(of: promise, me)
            if promise.isClosed(at: now) { throw No(.promiseClosed) }
            revokeCodes(of: number)
            codes[code] = Code(promise: number, expiresAt: span.map { now + $0 })
            return .done
        case .revokeInvite:
            try requireOwner(of: promise, me)
            revokeCodes(of: number)
            return .done
        }
        return try show(number, to: me)
    }

    /// Gives the same reason for every rejected code.
    mutating func join(_ number: Int?, by me: Int) throws(No) -> Outcome {
        guard let number, let code = codes[number], !code.isRevoked, now < code.expiresAt ?? .max,
            let promise = promises[code.promise], !promise.isClosed(at: now),
            promise.owner == me || people.pair(promise.owner, me).blockedBy.isEmpty,
            promise.membership(of: me) != .removed
        else { throw No(.codeInvalid) }
        if promise.membership(of: me) != .accepted { promises[promise.number]?.accept(me, at: now) }
        return try show(promise.number, to: me, withOverlaps: true)
    }

    // MARK: - Parts

    private mutating func respond(_ accept: Bool, to promise: ModelPromise, by me: Int) throws(No) {
        switch promise.membership(of: me) {
        case .accepted: if !accept { try leave(promise, by: me) }
        case .invited:
            if promise.isClosed(at: now) { throw No(.promiseClosed) }
            if accept {
                promises[promise.number]?.accept(me, at: now)
            } else {
                promises[promise.number]?.end(me, as: .declined, at: now)
            }
        default: throw No(.promiseNotFound)
        }
    }

    private mutating func leave(_ promise: ModelPromise, by me: Int) throws(No) {
        if !promise.isIn(me) { throw No(.promiseNotFound) }
        if promise.membership(of: me) == .invited { throw No(.promiseNotAccepted) }
        if promise.owner == me { throw No(.authForbidden) }
        if promise.isOver(at: now) { throw No(.promiseClosed) }
        promises[promise.number]?.end(me, as: .left, at: now)
    }

    private mutating func handOver(_ promise: ModelPromise, to heir: Int, by me: Int) throws(No) {
        try requireOwner(of: promise, me)
        if promise.isOver(at: now) { throw No(.promiseClosed) }
        guard let membership = promise.membership(of: heir) else { throw No(.userNotFound) }
        if membership != .accepted { throw No(.promiseNotAccepted) }
        if heir == me { return }
        promises[promise.number]?.owner = heir
        promises[promise.number]?.version += 1
    }

    private mutating func update(_ promise: ModelPromise, _ change: PromiseChange, by me: Int) throws(No) {
        if change.remove.contains(where: change.invite.contains) { throw No(.requestInvalid) }
        try requireOwner(of: promise, me)
        let newcomers = change.invite.filter { !promise.isIn($0) }
        guard newcomers.allSatisfy({ people.areFriends(me, $0) }) else { throw No(.promiseNotFriend) }
        if promise.isOver(at: now) { throw No(.promiseClosed) }
        if change.version != promise.version { throw No(.promiseStaleVersion) }
        let touchesPlan = change.meetsAt != nil || !change.invite.isEmpty || !change.remove.isEmpty
        if touchesPlan, now >= promise.opensAt { throw No(.promiseClosed) }
        if let meetsAt = change.meetsAt { try ModelPromise.requireTime(meetsAt, at: now) }
        if change.remove.contains(promise.owner) || change.invite.contains(promise.owner) { throw No(.requestInvalid) }
        guard change.remove.allSatisfy(promise.isIn) else { throw No(.userNotFound) }
        var changed = promise
        changed.title = change.title ?? promise.title
        changed.meetsAt = change.meetsAt ?? promise.meetsAt
        for user in change.remove { changed.end(user, as: .removed, at: now) }
        for user in newcomers { changed.invite(user) }
        if changed != promise { changed.version += 1 }
        promises[promise.number] = changed
    }

    private mutating func revokeCodes(of number: Int) {
        for code in codes.keys where codes[code]?.promise == number { codes[code]?.isRevoked = true }
    }

    private func requireOwner(of promise: ModelPromise, _ me: Int) throws(No) {
        if !promise.isIn(me) { throw No(.promiseNotFound) }
        if promise.owner != me { throw No(.promiseNotOwner) }
    }

    // MARK: - Showing

    private func show(
        _ number: Int,
        to me: Int,
        withOverlaps: Bool = false,
        evenIfGone: Bool = false
    ) throws(No) -> Outcome {
        guard let promise = promises[number], evenIfGone || promise.isVisible(to: me) else {
            throw No(.promiseNotFound)
        }
        let seen = SeenPromise(
            number: number,
            title: promise.title,
            meetsAt: promise.meetsAt,
            owner: promise.owner,
            version: promise.version,
            status: promise.status(at: now),
            members: promise.members.sorted { $0.user < $1.user }.map(seen),
            participantCount: promise.members.count { promise.isIn($0.user) }
        )
        return .promise(seen, overlaps: withOverlaps ? overlaps(with: promise, of: me) : [])
    }

    private func seen(_ member: ModelPromise.Member) -> SeenPromise.Member {
        SeenPromise.Member(
            user: member.user,
            membership: member.membership,
            sharing: member.membership == .accepted,
            isDeleted: people.deleted.contains(member.user)
        )
    }

    private func overlaps(with promise: ModelPromise, of me: Int) -> [Int] {
        promises.values
            .filter { $0.number != promise.number && !$0.isCancelled && $0.membership(of: me) == .accepted }
            .filter { $0.opensAt < promise.closesAt && promise.opensAt < $0.closesAt }
            .sorted { $0.meetsAt < $1.meetsAt }
            .map(\.number)
    }
}
