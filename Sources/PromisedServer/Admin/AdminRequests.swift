internal import PromisedProtocol

/// Sends each form of the administrators' request to those who answer it (docs/protocol.md#administration).
struct AdminRequests: Sendable {
    let users: UserAdministration
    let friends: FriendAdministration
    let promises: PromiseAdministration
    let watching: WatchAdministration
    let live: LiveAdministration
    let stats: StatsAdministration
    let health: HealthAdministration
    let backups: BackupAdministration
    let tokens: TokenAdministration
    let audit: AuditAdministration

    /// The reply to a form; nil when it has been sent already.
    func reply(to request: WireAdminRequest, from caller: AdminCaller) async throws(RequestError) -> WireContent? {
        guard let form = request.request else { throw RequestError(.requestUnknown) }
        guard let answer = try await answer(to: form, from: caller) else { return nil }
        var reply = WireAdminReply()
        reply.reply = answer
        return .admin(reply)
    }

    private func answer(
        to form: WireAdminRequest.OneOf_Request,
        from caller: AdminCaller
    ) async throws(RequestError) -> AdminReply? {
        switch form {
        case .findUsers(let find): try await users.find(find, from: caller)
        case .listUsers(let list): try await users.list(list, from: caller)
        case .showUser(let show): try await users.show(show, from: caller)
        case .createUser(let create): try await users.create(create, from: caller)
        case .disableUser(let disable): try await users.disable(disable, from: caller)
        case .enableUser(let enable): try await users.enable(enable, from: caller)
        case .resetPassword(let reset): try await users.resetPassword(reset, from: caller)
        case .deleteUser(let delete): try await users.delete(delete, from: caller)
        case .listUserSessions(let list): try await users.listSessions(list, from: caller)
        case .kickUser(let kick): try await users.kick(kick, from: caller)
        case .listFriends(let list): try await friends.list(list, from: caller)
        case .listFriendRequests(let list): try await friends.listRequests(list, from: caller)
        case .addFriends(let add): try await friends.add(add, from: caller)
        case .removeFriends(let remove): try await friends.remove(remove, from: caller)
        case .blockUser(let block): try await friends.block(block, from: caller)
        case .unblockUser(let unblock): try await friends.unblock(unblock, from: caller)
        case .listPromises(let list): try await promises.list(list, from: caller)
        case .showPromise(let show): try await promises.show(show)
        case .createPromise(let create): try await promises.create(create, from: caller)
        case .editPromise(let edit): try await promises.edit(edit, from: caller)
        case .cancelPromise(let cancel): try await promises.cancel(cancel, from: caller)
        case .watchPromise(let watch): try await watching.watch(watch, from: caller)
        case .unwatchPromise(let unwatch): try await watching.unwatch(unwatch, from: caller)
        case .getResult(let result): try await promises.result(result, from: caller)
        case .explainArrival(let explain): try await promises.explain(explain, from: caller)
        case .excuse(let excuse): try await promises.excuse(excuse, from: caller)
        case .exportPositions(let export): try await watching.export(export)
        case .listSessions(let list): try await live.list(list)
        case .showSession(let show): try await live.show(show)
        case .getStats: try await stats.stats(at: caller.now)
        case .checkHealth: await health.check()
        case .backUp(let backUp): try await backups.backUp(backUp, from: caller)
        case .verify: try await backups.verify()
        case .listAudit(let list): try await audit.list(list)
        case .createToken(let create): try await tokens.create(create, from: caller)
        case .listTokens: try await tokens.list()
        case .revokeToken(let revoke): try await tokens.revoke(revoke, from: caller)
        }
    }
}
