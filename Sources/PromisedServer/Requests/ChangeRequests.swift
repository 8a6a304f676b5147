internal import PromisedAccess
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedStore
internal import PromisedWire

/// What an owner changes about a promise, and who owns it (domain §4).
struct ChangeRequests: Sendable {
    let replies: PromiseReplies
    let engine: Engine
    let clock: any WallClock

    /// Answers `updatePromise`; overlaps are reported when the time was moved.
    func update(_ request: WireUpdatePromise, from caller: Caller) async throws(RequestError) -> WireContent? {
        let id = try RequestError.promiseID(request.promiseID)
        let edit = try PromiseEdit(request)
        try await replies.requirePart(of: caller.userID, in: id)
        try await requireNewFriends(edit.invite, in: id, of: caller)
        do throws(RequestError) {
            try await replies.admit(edit.invite, by: .edit(edit, by: caller.userID), to: id)
        } catch {
            guard edit.meetsAt != nil else { throw error }
            throw error.namingTime(try await replies.view(of: id, for: caller.userID).promise.spans)
        }
        if let meetsAt = edit.meetsAt {
            let view = try await replies.view(of: id, for: caller.userID)
            await engine.noteOpening(at: meetsAt - view.promise.spans.before)
        }
        return try await replies.reply(id, to: caller, withOverlaps: edit.meetsAt != nil)
    }

    /// Answers `handOver`.
    func handOver(_ request: WireHandOver, from caller: Caller) async throws(RequestError) -> WireContent? {
        let id = try RequestError.promiseID(request.promiseID)
        let heir = try RequestError.userID(request.userID)
        let view = try await replies.view(of: id, for: caller.userID)
        if view.promise.ownerID == caller.userID, heir != caller.userID { try await requireRoom(of: heir) }
        try await replies.perform(.handOver(to: heir, by: caller.userID), of: caller.userID, on: id)
        // The heir may have taken the caller out by now; that is no reason to refuse what was done.
        return try await replies.reply(id, to: caller, evenIfGone: true)
    }

    /// Only friends can be invited; who is in already need not be one any more. Only the owner's friends are looked at,
    /// so that the answer tells nobody else anything.
    private func requireNewFriends(_ invited: [UserID], in id: PromiseID, of caller: Caller) async throws(RequestError)
    {
        guard !invited.isEmpty else { return }
        let view = try await replies.view(of: id, for: caller.userID)
        try replies.requireOwner(caller.userID, of: view)
        let isIn = Set(view.members.map(\.participant).filter(\.membership.isIn).map(\.userID))
        let strangers = invited.map { isIn.contains($0) ? nil : $0 }
        let friends = try await RequestError.stored { () async throws(StoreError) in
            try await replies.store.friends(of: caller.userID, among: strangers.compactMap(\.self))
        }
        for (index, userID) in strangers.enumerated() {
            guard let userID, userID != caller.userID, !friends.contains(userID) else { continue }
            throw RequestError(.promiseNotFriend, field: "invite[\(index)]")
        }
    }

    /// A promise handed over counts like one that was made.
    private func requireRoom(of heir: UserID) async throws(RequestError) {
        let count = try await RequestError.stored { () async throws(StoreError) in
            try await replies.store.openPromiseCount(of: heir, at: clock.now)
        }
        guard count < PromiseLimits.openPromises else { throw RequestError(.promiseLimit, field: "userId") }
    }
}

extension PromiseEdit {
    /// An edit as an owner asks for it, every field checked (domain §10).
    ///
    /// - Throws: `request.invalid` with the field.
    init(_ request: WireUpdatePromise) throws(RequestError) {
        self.init(version: Int(request.version))
        if request.hasTitle { title = try PromiseDraft.clean(request.title, .title) }
        if request.hasNote { note = try PromiseDraft.clean(request.note, .note) }
        if request.hasPlace { place = try PromiseDraft.place(request.place) }
        if request.hasMeetsAt {
            meetsAt = try RequestError.wrap { () throws(WireError) in
                try Instant(wire: request.meetsAt, field: "meetsAt")
            }
        }
        if request.hasRadiusMetres { radiusMetres = try PromiseDraft.radius(request.radiusMetres) }
        if request.hasPenalty { penalty = try PromiseDraft.penalty(request.penalty) }
        invite = try PromiseEdit.users(request.invite, field: "invite")
        remove = try PromiseEdit.users(request.remove, field: "remove")
        if let both = remove.firstIndex(where: invite.contains) {
            let message = "Nobody can be invited and removed at once."
            throw RequestError(.requestInvalid, message: message, field: "remove[\(both)]")
        }
    }

    private static func users(_ texts: [String], field: String) throws(RequestError) -> [UserID] {
        let ids = try RequestError.wrap { () throws(WireError) in try UserID.list(wire: texts, field: field) }
        var known = Set<UserID>()
        return ids.filter { known.insert($0).inserted }
    }
}
