internal import PromisedAccess
internal import PromisedApplication
internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedStore
internal import PromisedWire
internal import SwiftProtobuf

// Acts of people and phones.
extension World {
    /// The beginning of the key of a promise, before its number.
    static let keyOfPromises = "story-"

    /// Performs a planned act, if its objects exist.
    func act(_ deed: Deed) throws {
        switch deed {
        case .create: create(deed)
        case .block, .unblock, .unfriend, .befriend, .erase, .lookBack: actOnPeople(deed)
        case .connect, .cut, .stall, .flood, .moveClock, .reboot, .lie, .crash, .fault, .spoil, .choke:
            try strike(deed)
        case .errand(let errand): go(on: errand)
        case .app(let deed): actByApp(deed)
        default: actOnPromise(deed)
        }
    }

    /// Sends a person's request from their first phone.
    func ask(_ request: WireRequest, of person: Int) {
        guard let phone = clients.firstIndex(where: { $0.userID == Fixtures.user(person) }) else { return }
        ask(request, by: phone)
    }

    private func create(_ deed: Deed) {
        guard case .create(let promise, let by, let meetsIn, let radius, let penalty, let firstFix) = deed else {
            return
        }
        let friends = checker.committed.owned.friends.compactMap { $0.other(than: Fixtures.user(by)) }
        let create = WireCreatePromise.with {
            ($0.key, $0.title) = ("\(World.keyOfPromises)\(promise)", "Meetup")
            $0.place = WirePlace(Place(name: "The pier", coordinate: Story.place))
            ($0.meetsAt, $0.radiusMetres) = (WireTimestamp(now + .milliseconds(meetsIn * 1_000)), Int32(radius))
            if penalty > 0 { $0.penalty = WirePenalty(Penalty(amount: penalty, currency: "EUR")) }
            $0.rule.name = firstFix ? .firstFix : .robust
            $0.inviteeIds = friends.sorted().map(\.wireText)
        }
        ask(.createPromise(create), of: by)
    }

    /// Sends an edit of a promise, on the stored version.
    func edit(_ id: PromiseID, by person: Int, _ change: (inout WireUpdatePromise) -> Void) {
        guard let promise = checker.committed.promises[id] else { return }
        var edit = WireUpdatePromise()
        (edit.promiseID, edit.version) = (id.wireText, UInt32(promise.version))
        change(&edit)
        ask(.updatePromise(edit), of: person)
    }

    private func actOnPromise(_ deed: Deed) {
        guard let number = deed.promise, let id = promises[number] else { return }
        let promiseID = id.wireText
        switch deed {
        case .respond(_, let by, let accepts):
            ask(.respond(.with { ($0.promiseID, $0.accept) = (promiseID, accepts) }), of: by)
        case .leave(_, let by): ask(.leavePromise(.with { $0.promiseID = promiseID }), of: by)
        case .cancel(_, let by): ask(.cancelPromise(.with { $0.promiseID = promiseID }), of: by)
        case .handOver(_, let by, let heir):
            ask(.handOver(.with { ($0.promiseID, $0.userID) = (promiseID, Fixtures.user(heir).wireText) }), of: by)
        case .retitle(_, let by): edit(id, by: by) { $0.title = "Title \(now.milliseconds)" }
        case .move(_, let by, let seconds):
            guard let meetsAt = checker.committed.promises[id]?.meetsAt else { return }
            edit(id, by: by) { $0.meetsAt = WireTimestamp(meetsAt + .milliseconds(seconds * 1_000)) }
        case .remove(_, let by, let person): edit(id, by: by) { $0.remove = [Fixtures.user(person).wireText] }
        case .invite(_, let by, let person): edit(id, by: by) { $0.invite = [Fixtures.user(person).wireText] }
        case .excuse(_, let by, let person):
            let userID = Fixtures.user(person).wireText
            ask(.excuse(.with { ($0.promiseID, $0.userID, $0.reason) = (promiseID, userID, "rain") }), of: by)
        case .walk(let phone, let promise, let from, let to, let speed, let stay):
            let walk = Walk(to: promise, from: from, to: to, at: speed, stay: stay, now: now)
            locate(phone, on: walk, clients[phone].phone.beginWalk())
        default: signal(deed, in: id)
        }
    }

    /// Acts on the way.
    private func signal(_ deed: Deed, in id: PromiseID) {
        let promiseID = id.wireText
        switch deed {
        case .share(_, let by, let on): ask(.setSharing(.with { ($0.promiseID, $0.on) = (promiseID, on) }), of: by)
        case .status(_, let by):
            ask(.setStatus(.with { ($0.promiseID, $0.text) = (promiseID, "\(Fixtures.token(by)) is coming") }), of: by)
        case .nudge(_, let by, let person):
            ask(.nudge(.with { ($0.promiseID, $0.userID) = (promiseID, Fixtures.user(person).wireText) }), of: by)
        case .trouble(_, let by):
            ask(.reportTrouble(.with { ($0.promiseID, $0.cause) = (promiseID, .noFix) }), of: by)
        case .checkIn(_, let by, let withCode):
            var checkIn = WireCheckIn()
            checkIn.promiseID = promiseID
            // Read from the screen of somebody who has arrived.
            if withCode { checkIn.code = CheckInCodes(Passports.key).code(of: id, at: now).text }
            ask(.checkIn(checkIn), of: by)
        default: preconditionFailure("No act on a promise: \(deed)")
        }
    }

    private func actOnPeople(_ deed: Deed) {
        switch deed {
        case .block(let by, let person): ask(.blockUser(.with { $0.userID = Fixtures.user(person).wireText }), of: by)
        case .unblock(let by, let person):
            ask(.unblockUser(.with { $0.userID = Fixtures.user(person).wireText }), of: by)
        case .unfriend(let by, let person):
            ask(.removeFriend(.with { $0.userID = Fixtures.user(person).wireText }), of: by)
        case .befriend(let by, let person):
            ask(.requestFriend(.with { $0.userID = Fixtures.user(person).wireText }), of: by)
        case .erase(let person): ask(.deleteAccount(WireDeleteAccount()), of: person)
        case .lookBack(let person): ask(.getMe(WireGetMe()), of: person)
        default: preconditionFailure("No act on people: \(deed)")
        }
    }

    private func strike(_ deed: Deed) throws {
        switch deed {
        case .connect(let phone): connect(phone)
        case .cut(let phone, let back, let noticed):
            cut(phone, backAfter: .milliseconds(back), noticedAfter: .milliseconds(noticed))
        case .stall(let phone, let span): clients[phone].readsFrom = now + .milliseconds(span)
        case .moveClock(let phone, let span): clients[phone].phone.moveClock(byMs: span)
        case .flood(let phone, let requests):
            let sync = WireSyncClock(clients[phone].phone.readings(at: now))
            for _ in 0..<requests { askOnce(.syncClock(sync), by: phone) }
        case .reboot(let phone):
            clients[phone].reboot(at: now)
            cut(phone, backAfter: .seconds(1), noticedAfter: .milliseconds(10))
        case .lie(let phone, let metres, let reports, let asMock):
            clients[phone].phone.beginLie(metres: metres, reports: reports, isMock: asMock)
        case .crash(let span): try crash(for: .milliseconds(span))
        case .fault(let isFull, let writes):
            process.disk.fail(isFull ? .full : .broken, count: writes)
            process.shelf.fail(isFull ? .full : .system(code: 5), count: writes)
        case .spoil(let statement): process.disk.fail(atStatement: statement)
        case .choke(let span):
            process.disk.choke(true)
            queue.add(.unchoke, at: now + .milliseconds(span))
        default: preconditionFailure("No mishap: \(deed)")
        }
    }

    /// Makes a fix on a phone and reports it with the pending ones; repeated in five seconds.
    func locate(_ phone: Int, on walk: Walk, _ number: Int) {
        guard clients[phone].phone.walkNumber == number, let id = promises[walk.promise] else { return }
        clients[phone].phone.locate(on: walk, at: now)
        if clients[phone].signIn == .welcome, !clients[phone].isReporting(to: id),
            let report = clients[phone].phone.report(at: now)
        {
            ask(.report(WireReport(report, to: id)), by: phone)
        }
        guard now - walk.startedAt < walk.duration else { return }
        queue.add(.fix(phone: phone, walk, number: number), at: now + Walk.interval)
    }
}

extension Deed {
    /// The promise that the act concerns, if any.
    var promise: Int? {
        switch self {
        case .create(let promise, _, _, _, _, _), .respond(let promise, _, _), .leave(let promise, _),
            .cancel(let promise, _), .handOver(let promise, _, _), .retitle(let promise, _), .move(let promise, _, _),
            .remove(let promise, _, _), .invite(let promise, _, _), .excuse(let promise, _, _),
            .walk(_, let promise, _, _, _, _), .share(let promise, _, _), .status(let promise, _),
            .nudge(let promise, _, _), .trouble(let promise, _), .checkIn(let promise, _, _):
            promise
        case .block, .unblock, .unfriend, .befriend, .erase, .lookBack, .connect, .cut, .stall, .flood, .moveClock,
            .reboot,
            .lie, .crash, .fault, .spoil, .choke, .errand, .app:
            nil
        }
    }
}
