internal import PromisedProtocol

/// Dispatches each form of the administrators' request to its handler (docs/protocol.md#administration).
struct AdminRequests: Sendable {
    let users: UserForms
    let promises: PromiseForms
    let places: PlaceForms
    let courses: CourseForms
    let server: ServerForms
    let process: any HostProcess

    func answer(
        to request: WireAdminRequest,
        from caller: AdminCaller,
        on connection: Connection
    ) async throws -> Answer<WireContent> {
        guard let form = request.request else { throw RequestError(.requestUnknown) }
        guard case .reply(let answer) = try await self.answer(to: form, from: caller, on: connection) else {
            return .sent
        }
        var reply = WireAdminReply()
        reply.reply = answer
        return .reply(.admin(reply))
    }

    private func answer(
        to form: WireAdminRequest.OneOf_Request,
        from caller: AdminCaller,
        on connection: Connection
    ) async throws -> AdminAnswer {
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
        case .listFriends(let list): try await users.listFriends(list, from: caller)
        case .listFriendRequests(let list): try await users.listFriendRequests(list, from: caller)
        case .addFriends(let add): try await users.addFriends(add, from: caller)
        case .removeFriends(let remove): try await users.removeFriends(remove, from: caller)
        case .blockUser(let block): try await users.block(block, from: caller)
        case .unblockUser(let unblock): try await users.unblock(unblock, from: caller)
        case .listPromises(let list): try await promises.list(list, from: caller)
        case .showPromise(let show): try await promises.show(show)
        case .createPromise(let create): try await promises.create(create, from: caller)
        case .editPromise(let edit): try await promises.edit(edit, from: caller)
        case .cancelPromise(let cancel): try await promises.cancel(cancel, from: caller)
        case .watchPromise(let watch): try await promises.watch(watch, on: connection, id: caller.requestID)
        case .unwatchPromise(let unwatch): try await promises.unwatch(unwatch, on: connection)
        case .getResult(let result): try await promises.result(result)
        case .explainArrival(let explain): try await promises.explain(explain, from: caller)
        case .excuse(let excuse): try await promises.excuse(excuse, from: caller)
        case .exportPositions(let export): try await promises.export(export)
        case .listSources: try await places.listSources()
        case .beginImport(let begin): try await places.beginImport(begin, from: caller)
        case .putPlaces(let put): try await places.put(put, from: caller)
        case .finishImport(let finish): try await places.finishImport(finish, from: caller)
        case .cancelImport(let cancel): try await places.cancelImport(cancel)
        case .removeSource(let remove): try await places.removeSource(remove, from: caller)
        case .findPlaces(let find): try await places.find(find, from: caller)
        case .showPlace(let show): try await places.show(show)
        case .createPlace(let create): try await places.create(create, from: caller)
        case .editPlace(let edit): try await places.edit(edit, from: caller)
        case .removePlace(let remove): try await places.remove(remove, from: caller)
        case .getWeatherStatus: try await places.weatherStatus()
        case .refreshWeather(let refresh): try await places.refreshWeather(refresh, from: caller)
        case .getFileStatistics: try await courses.statistics()
        case .listRecommendedCourses(let list): try await courses.list(list, from: caller)
        case .importRecommendedCourse(let piece): try await courses.importPiece(piece, from: caller)
        case .removeRecommendedCourse(let remove): try await courses.remove(remove, from: caller)
        case .listSessions(let list): try await server.listSessions(list)
        case .showSession(let show): try await server.showSession(show)
        case .getStats: try await server.stats(at: caller.now)
        case .checkHealth: .reply(.health(WireAdminHealth(await process.checks())))
        case .backUp(let backUp): try await server.backUp(backUp, from: caller)
        case .verify: try await server.verify()
        case .listAudit(let list): try await server.listAudit(list)
        case .createToken(let create): try await server.createToken(create, from: caller)
        case .listTokens: try await server.listTokens()
        case .revokeToken(let revoke): try await server.revokeToken(revoke, from: caller, on: connection)
        }
    }
}

extension WireAdminHealth {
    fileprivate init(_ checks: [WireAdminHealthCheck]) {
        self.init()
        self.checks = checks
    }
}
