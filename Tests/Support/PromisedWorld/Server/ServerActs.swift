internal import PromisedAccess
internal import PromisedApplication
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedStore
internal import PromisedWire

/// Answers requests by the application's acts, as a server's gateway does.
struct ServerActs: Sendable {
    private let core: ApplicationCore
    private let meetups: MeetupUseCases
    private let people: PeopleUseCases
    private let deletions: AccountDeletions
    private let errands: ErrandActs
    private let switchboard: Switchboard
    private let clock: VirtualClock
    /// Makes the codes of participants who have arrived.
    private let codes: CheckInCodes

    /// - Parameter key: the application's.
    init(_ application: Application, key: SigningKey, switchboard: Switchboard, clock: VirtualClock) {
        (core, meetups, people) = (application.core, application.meetups, application.people)
        deletions = application.accounts.deletions
        self.switchboard = switchboard
        self.clock = clock
        errands = ErrandActs(application, clock: clock)
        codes = CheckInCodes(key)
    }

    /// Applies an operator's change of the directory.
    func operate(_ errand: Errand) async {
        if let loaded = await errands.operate(errand) { switchboard.put(.loaded(loaded)) }
    }

    func noteEnd(of connection: ConnectionNumber, _ userID: UserID) async {
        await meetups.liveActions.noteConnectionEnd(of: userID)
    }

    /// Answers a request of a user; nil if the answer was sent already.
    func answer(to request: Request, of userID: UserID) async -> Answer? {
        do {
            return try await perform(request, of: userID)
        } catch {
            return Answer(error)
        }
    }

    private func perform(_ request: Request, of userID: UserID) async throws -> Answer? {
        if case .report(let id, let report) = request.ask {
            return .receipt(try await meetups.liveActions.report(report, from: userID, in: id, found: { _ in }))
        }
        if case .reportToAll(let report) = request.ask {
            return .receipt(try await meetups.liveActions.reportToAll(report, from: userID))
        }
        // A token names its session, which the deletion of an account ends.
        guard let account = try await core.store.accounts.account(userID), account.isUsable else {
            return .refused("invalidToken", WireErrorReply(.authTokenInvalid))
        }
        switch request.ask {
        case .create, .respond, .leave, .cancel, .handOver, .edit, .excuse:
            return try await change(request.ask, by: userID)
        case .subscribe, .report, .reportToAll, .share, .status, .nudge, .trouble, .checkIn:
            return try await goOn(request, of: userID)
        case .block, .unblock, .unfriend, .befriend, .erase, .lookBack:
            return try await meet(request, of: userID)
        case .errand(let errand): return try await errands.answer(errand, of: userID)
        }
    }

    // MARK: - Promises

    private func change(_ ask: Ask, by userID: UserID) async throws -> Answer {
        switch ask {
        case .create(let number, let key, let meetsIn, let radius, let penalty, let firstFix):
            let draft = try await draft(key, meetsIn, radius, penalty, firstFix, by: userID)
            return .created(
                promise: number,
                try await meetups.promises.create(draft, by: userID, at: clock.now).view.promise.id
            )
        case .respond(let id, let accepts): _ = try await meetups.promises.respond(id, accept: accepts, by: userID)
        case .leave(let id): _ = try await meetups.promises.leave(id, by: userID)
        case .cancel(let id): _ = try await meetups.promises.cancel(id, because: "", by: userID)
        case .handOver(let id, let heir): _ = try await meetups.promises.handOver(id, to: heir, by: userID)
        case .edit(let id, let change): try await edit(id, change, by: userID)
        case .excuse(let id, let other):
            _ = try await meetups.results.excuse(other, in: id, because: "rain", by: userID)
        default: preconditionFailure("No change of a promise: \(ask)")
        }
        return .done
    }

    private func draft(
        _ key: String,
        _ meetsIn: Int64,
        _ radius: Int,
        _ penalty: Int32,
        _ firstFix: Bool,
        by userID: UserID
    ) async throws -> PromiseDraft {
        let friends = try await core.store.friendships.friends(of: userID, limit: 50).items.map(\.card.id).sorted()
        return try PromiseDraft(
            key: key,
            title: "Meetup",
            note: "",
            place: Place(name: "The pier", coordinate: Story.place),
            meetsAt: clock.now + .milliseconds(meetsIn * 1_000),
            radiusMetres: radius,
            penalty: penalty > 0 ? Penalty(amount: penalty, currency: "EUR") : nil,
            rule: ArrivalRule(name: firstFix ? .firstFix : .robust),
            inviteeIDs: friends,
            by: userID,
            spans: meetups.promises.spans
        )
    }

    private func edit(_ id: PromiseID, _ change: Ask.Change, by userID: UserID) async throws {
        let promise = try await meetups.promises.show(id, to: userID).view.promise
        var edit = PromiseEdit(version: promise.version)
        switch change {
        case .title(let title): edit.title = title
        case .moved(let seconds): edit.meetsAt = promise.meetsAt + .milliseconds(seconds * 1_000)
        case .remove(let other): edit.remove = [other]
        case .invite(let other): edit.invite = [other]
        }
        _ = try await meetups.promises.edit(id, edit, by: userID)
    }

    // MARK: - On the way

    private func goOn(_ request: Request, of userID: UserID) async throws -> Answer? {
        switch request.ask {
        case .subscribe(let id, let point):
            try await subscribe(request, to: id, since: point, of: userID)
            return nil
        case .share(let id, let isOn): try await meetups.liveActions.setSharing(in: id, on: isOn, by: userID)
        case .status(let id, let text):
            try await meetups.liveActions.setStatus(in: id, text: text, emoji: nil, by: userID)
        case .nudge(let id, let other): try await meetups.liveActions.nudge(other, in: id, by: userID)
        case .trouble(let id): try await meetups.liveActions.reportTrouble(.noFix, of: userID, in: id)
        case .checkIn(let id, let withCode):
            let code = withCode ? codes.code(of: id, at: clock.now).text : nil
            return .arrived(id, try await meetups.liveActions.checkIn(userID, in: id, by: code, at: clock.now).arrival)
        default: preconditionFailure("Nothing on the way: \(request.ask)")
        }
        return .done
    }

    /// Sends the answer before any event reaches the subscriber.
    private func subscribe(
        _ request: Request,
        to id: PromiseID,
        since point: ResumePoint?,
        of userID: UserID
    ) async throws {
        let subscriber = SubscriberID(rawValue: request.connection)
        try await meetups.liveActions.subscribe(subscriber, of: userID, to: id, since: point) { subscription in
            let promise = subscription.view.promise
            let answer = Answer.subscribed(
                id,
                epoch: promise.epoch,
                lastSeq: subscription.view.lastSeq,
                missed: subscription.missed,
                shown: subscription.view.members.compactMap(\.live.position),
                view: subscription.view,
                nextReport: subscription.nextReport
            )
            switchboard.put(.answer(answer, to: request, from: userID))
        }
    }

    // MARK: - People

    private func meet(_ request: Request, of userID: UserID) async throws -> Answer {
        let now = clock.now
        switch request.ask {
        case .block(let other): _ = try await people.friendships.block(other, by: userID, at: now)
        case .unblock(let other): _ = try await people.friendships.unblock(other, by: userID, at: now)
        case .unfriend(let other): _ = try await people.friendships.remove(other, by: userID, at: now)
        case .befriend(let other): _ = try await people.friendships.request(.id(other), by: userID, at: now)
        case .erase: _ = try await deletions.erase(userID, at: now)
        case .lookBack: return .lookedBack(try await people.profiles.me(userID).statistics)
        default: preconditionFailure("Nothing between people: \(request.ask)")
        }
        return .done
    }
}

extension Answer {
    /// Converts a refusal, or a fault of the storage.
    fileprivate init(_ error: any Error) {
        self = ApplicationError.isTransient(error) ? .unavailable : .refused("\(error)", Self.reply(error))
    }

    private static func reply(_ error: any Error) -> WireErrorReply {
        switch error {
        case let refusal as Refusal: WireErrorReply(refusal)
        case EngineError.notFound: WireErrorReply(.promiseNotFound)
        case EngineError.refused(let refusal), ApplicationError.refused(let refusal, _, _): WireErrorReply(refusal)
        default: WireErrorReply(.serverInternal)
        }
    }
}
