internal import PromisedApplication
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedWire

/// Dispatches each request to its handler, after checking its sender.
struct RequestRouter: Sendable {
    let accounts: AccountRequests
    let friends: FriendshipRequests
    let profiles: ProfileRequests
    let promises: PromiseRequests
    let live: LiveRequests
    let results: ResultRequests
    let places: PlaceRequests
    let notifications: NotificationRequests
    let files: FileRequests
    let visits: VisitRequests
    let folders: FolderRequests
    let courses: CourseRequests
    let recordings: RecordingRequests
    let exports: ExportRequests
    let access: AdminAccess
    let admin: AdminRequests
    let traffic: TrafficMeter
    /// The largest frame that may be sent, in bytes.
    let frameLimit: Int
    let clientNames = SharedTexts()

    /// Handles a request from a connection. `id` is the request's id; 0 requests no reply.
    func answer(
        to request: WireRequest,
        of connection: Connection,
        id: UInt32,
        in context: RequestContext
    ) async throws -> Answer<WireContent> {
        traffic.note(TrafficMeter.Counts(requests: 1, reports: request.bringsPositions ? 1 : 0))
        try context.party.require(request.senders)
        let now = context.receivedAt
        if case .hello(let hello) = request {
            connection.note(hello.client, in: clientNames)
            let secret = access.secret(in: hello, on: connection)
            if secret != nil || context.party.administrator != nil && hello.token.isEmpty {
                return try await access.hello(secret: secret, on: connection)
            }
        }
        if let administrator = context.party.administrator {
            let caller = AdminCaller(
                administrator: administrator,
                requestID: id,
                frame: FrameFormat(codec: connection.codec, limit: frameLimit),
                subscriber: connection.id,
                now: now
            )
            return try await answer(to: request, from: caller, on: connection)
        }
        switch request {
        case .hello(let hello): return try await accounts.hello(hello, connection, at: now)
        case .signUp(let signUp): return try await accounts.signUp(signUp, connection, at: now)
        case .signIn(let signIn): return try await accounts.signIn(signIn, connection, at: now)
        case .refresh(let refresh): return try await accounts.refresh(refresh, connection, at: now)
        case .watchByLink(let watch): return try await live.watch(watch, connection, id: id, at: now)
        case .exchangeCode(let code): return try await accounts.exchange(code, connection)
        case .checkNickname(let check): return try await accounts.checkNickname(check, connection)
        default: break
        }
        return try await answer(to: request, from: caller(in: context, on: connection), on: connection, id: id)
    }

    /// Passes a report to the session of its promise, on the caller's lane. `instant` is when it was received.
    ///
    /// - Returns: nil, without any effect, if the session is not running.
    func begin(
        _ report: ReportFrame,
        to session: PromiseSession,
        in context: RequestContext,
        at instant: ContinuousClock.Instant
    ) throws(RequestError) -> SessionStep? {
        try context.party.require(.ofReports)
        guard let step = live.begin(report, of: try context.party.user.userID, to: session, in: context) else {
            return nil
        }
        traffic.note(TrafficMeter.Counts(requests: 1, reports: 1), at: instant)
        return step
    }

    /// Ends a connection: do not send to it afterwards.
    func forget(_ connection: Connection) async {
        await live.forget(connection)
        await results.results.forget(connection.id)
        notifications.forget(connection)
        await admin.places.forget(connection.id)
        await admin.courses.forget(connection.id)
    }

    private func caller(in context: RequestContext, on connection: Connection) throws(RequestError) -> Caller {
        let identity = try context.party.user
        return Caller(
            userID: identity.userID,
            signIn: identity.signIn,
            remoteAddress: connection.remoteAddress,
            device: context.device,
            syncs: context.syncs,
            frame: FrameFormat(codec: connection.codec, limit: frameLimit),
            subscriber: connection.id,
            now: context.receivedAt
        )
    }

    /// Administrators have no account: all other requests require a user.
    private func answer(
        to request: WireRequest,
        from caller: AdminCaller,
        on connection: Connection
    ) async throws -> Answer<WireContent> {
        switch request {
        case .admin(let request): try await admin.answer(to: request, from: caller, on: connection)
        case .syncClock(let sync): try live.syncClock(sync, of: connection, at: caller.now)
        default: throw RequestError(.authForbidden)
        }
    }

    /// Handles a user's request that changes its connection, or lets it receive events.
    private func answer(
        to request: WireRequest,
        from caller: Caller,
        on connection: Connection,
        id: UInt32
    ) async throws -> Answer<WireContent> {
        switch request {
        case .signOut: try await accounts.signOut(caller, on: connection)
        case .changePassword(let change): try await accounts.changePassword(change, from: caller, on: connection)
        case .deleteAccount(let delete): try await accounts.delete(delete, from: caller, on: connection, id: id)
        case .subscribe(let subscribe): try await live.subscribe(subscribe, from: caller, on: connection, id: id)
        case .unsubscribe(let unsubscribe): try await live.unsubscribe(unsubscribe, of: connection)
        case .report(let report): try await live.report(report, from: caller) { connection.note(reportTo: $0) }
        case .syncClock(let sync): try live.syncClock(sync, of: connection, at: caller.now)
        case .setFocus(let focus): try await notifications.setFocus(focus, from: caller, on: connection)
        default: try await answer(to: request, from: caller)
        }
    }

    /// Handles a user's request from any way in.
    func answer(to request: WireRequest, from caller: Caller) async throws -> Answer<WireContent> {
        switch request {
        case .listSessions: try await accounts.listSessions(caller)
        case .endSession(let end): try await accounts.endSession(end, from: caller)
        case .getMe: try await profiles.me(caller)
        case .updateMe(let update): try await profiles.update(update, from: caller)
        case .findUser(let find): try await profiles.find(find, from: caller)
        case .getProfile(let get): try await profiles.profile(get, from: caller)
        case .getStatistics(let get): try await profiles.statistics(get, from: caller)

        case .requestFriend(let friend): try await friends.request(friend, from: caller)
        case .acceptFriend(let friend): try await friends.accept(friend, from: caller)
        case .rejectFriend(let friend): try await friends.reject(friend, from: caller)
        case .cancelFriendRequest(let friend): try await friends.cancel(friend, from: caller)
        case .removeFriend(let friend): try await friends.remove(friend, from: caller)
        case .blockUser(let block): try await friends.block(block, from: caller)
        case .unblockUser(let unblock): try await friends.unblock(unblock, from: caller)
        case .listFriends(let list): try await friends.list(list, from: caller)
        case .listFriendRequests(let list): try await friends.listRequests(list, from: caller)

        case .createPromise(let create): try await promises.create(create, from: caller)
        case .updatePromise(let update): try await promises.update(update, from: caller)
        case .respond(let respond): try await promises.respond(respond, from: caller)
        case .leavePromise(let leave): try await promises.leave(leave, from: caller)
        case .cancelPromise(let cancel): try await promises.cancel(cancel, from: caller)
        case .handOver(let handOver): try await promises.handOver(handOver, from: caller)
        case .getPromise(let get): try await promises.get(get, from: caller)
        case .listPromises(let list): try await promises.list(list, from: caller)
        case .createInvite(let invite): try await promises.createInvite(invite, from: caller)
        case .revokeInvite(let invite): try await promises.revokeInvite(invite, from: caller)
        case .joinByCode(let join): try await promises.join(join, from: caller)
        case .createViewLink(let link): try await promises.createLink(link, from: caller)
        case .revokeViewLink(let link): try await promises.revokeLink(link, from: caller)
        case .setLinkSharing(let sharing): try await promises.setLinkSharing(sharing, from: caller)

        case .report(let report): try await live.report(report, from: caller) { _ in }
        case .setSharing(let sharing): try await live.setSharing(sharing, from: caller)
        case .setStatus(let status): try await live.setStatus(status, from: caller)
        case .nudge(let nudge): try await live.nudge(nudge, from: caller)
        case .reportTrouble(let trouble): try await live.reportTrouble(trouble, from: caller)
        case .checkIn(let checkIn): try await live.checkIn(checkIn, from: caller)
        case .getCheckInCode(let code): try await live.checkInCode(code, from: caller)

        case .getResult(let result): try await results.getResult(result, from: caller)
        case .excuse(let excuse): try await results.excuse(excuse, from: caller)
        case .explainArrival(let explain): try await results.explain(explain, from: caller)

        case .listCategories: try await places.listCategories(caller)
        case .listRegions(let list): try await places.listRegions(list, from: caller)
        case .viewPlaces(let view): try await places.view(view, from: caller)
        case .nearbyPlaces(let nearby): try await places.nearby(nearby, from: caller)
        case .searchPlaces(let search): try await places.search(search, from: caller)
        case .getPlace(let get): try await places.get(get, from: caller)
        case .addFavourite(let favourite): try await places.addFavourite(favourite, from: caller)
        case .removeFavourite(let favourite): try await places.removeFavourite(favourite, from: caller)
        case .listFavourites(let list): try await places.listFavourites(list, from: caller)
        case .getOutlook(let outlook): try await places.outlook(outlook, from: caller)
        case .getShareText(let text): try await places.shareText(text, from: caller)

        case .listNotifications(let list): try await notifications.list(list, from: caller)
        case .readNotifications(let read): try await notifications.read(read, from: caller)
        case .getNotificationSettings: try await notifications.settings(caller)
        case .updateNotificationSettings(let update): try await notifications.update(update, from: caller)

        case .beginUpload(let upload): try await files.begin(upload, from: caller)
        case .putChunk(let chunk): try await files.put(chunk, from: caller)
        case .readFile(let read): try await files.read(read, from: caller)

        case .createVisit(let create): try await visits.create(create, from: caller)
        case .updateVisit(let update): try await visits.update(update, from: caller)
        case .getVisit(let get): try await visits.get(get, from: caller)
        case .deleteVisit(let delete): try await visits.delete(delete, from: caller)
        case .listVisits(let list): try await visits.list(list, from: caller)
        case .getVisitStatistics: try await visits.statistics(caller)

        case .createFolder(let create): try await folders.create(create, from: caller)
        case .updateFolder(let update): try await folders.update(update, from: caller)
        case .deleteFolder(let delete): try await folders.delete(delete, from: caller)
        case .listFolders: try await folders.list(caller)

        case .saveCourse(let save): try await courses.save(save, from: caller)
        case .importCourse(let file): try await courses.importFile(file, from: caller)
        case .copyCourse(let copy): try await courses.copy(copy, from: caller)
        case .getCourse(let get): try await courses.get(get, from: caller)
        case .getTrack(let track): try await courses.track(track, from: caller)
        case .listCourses(let list): try await courses.list(list, from: caller)
        case .exportCourse(let export): try await courses.export(export, from: caller)
        case .updateCourse(let update): try await courses.update(update, from: caller)
        case .deleteCourse(let delete): try await courses.delete(delete, from: caller)
        case .shareCourse(let share): try await courses.share(share, from: caller)

        case .startRecording(let start): try await recordings.start(start, from: caller)
        case .appendRecording(let append): try await recordings.append(append, from: caller)
        case .finishRecording(let finish): try await recordings.finish(finish, from: caller)
        case .discardRecording(let discard): try await recordings.discard(discard, from: caller)
        case .listRecordings: try await recordings.list(caller)

        case .exportMyData: try await exports.request(caller)

        case .hello, .signUp, .signIn, .refresh, .watchByLink, .exchangeCode, .checkNickname, .admin, .signOut,
            .changePassword, .deleteAccount, .subscribe, .unsubscribe, .syncClock, .setFocus:
            throw RequestError.needsConnection
        }
    }
}
