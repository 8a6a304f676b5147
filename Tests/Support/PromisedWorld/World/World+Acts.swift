internal import PromisedApplication
internal import PromisedDomain
internal import PromisedStore

// Acts of people and phones.
extension World {
    /// Performs a planned act, if its objects exist.
    func act(_ deed: Deed) throws {
        switch deed {
        case .create(let promise, let by, let meetsIn, let radius, let penalty, let firstFix):
            let key = "story-\(promise)"
            ask(
                .create(
                    promise: promise,
                    key: key,
                    meetsInSeconds: meetsIn,
                    radius: radius,
                    penalty: penalty,
                    firstFix: firstFix
                ),
                of: by
            )
        case .block, .unblock, .unfriend, .befriend, .erase, .lookBack: actOnPeople(deed)
        case .connect, .cut, .stall, .moveClock, .reboot, .lie, .crash, .fault, .spoil, .choke:
            try strike(deed)
        case .errand(let errand): go(on: errand)
        case .app(let deed): actByApp(deed)
        default: actOnPromise(deed)
        }
    }

    /// Sends a person's request from their first phone.
    func ask(_ ask: Ask, of person: Int) {
        guard let phone = clients.firstIndex(where: { $0.userID == Cast.user(person) }) else { return }
        self.ask(ask, by: phone)
    }

    private func actOnPromise(_ deed: Deed) {
        guard let number = deed.promise, let id = promises[number] else { return }
        switch deed {
        case .respond(_, let by, let accepts): ask(.respond(id, accepts: accepts), of: by)
        case .leave(_, let by): ask(.leave(id), of: by)
        case .cancel(_, let by): ask(.cancel(id), of: by)
        case .handOver(_, let by, let heir): ask(.handOver(id, to: Cast.user(heir)), of: by)
        case .retitle(_, let by): ask(.edit(id, .title("Title \(now.milliseconds)")), of: by)
        case .move(_, let by, let seconds): ask(.edit(id, .moved(bySeconds: seconds)), of: by)
        case .remove(_, let by, let person): ask(.edit(id, .remove(Cast.user(person))), of: by)
        case .invite(_, let by, let person): ask(.edit(id, .invite(Cast.user(person))), of: by)
        case .excuse(_, let by, let person): ask(.excuse(id, Cast.user(person)), of: by)
        case .share(_, let by, let on): ask(.share(id, on: on), of: by)
        case .status(_, let by): ask(.status(id, "\(Cast.token(by)) is coming"), of: by)
        case .nudge(_, let by, let person): ask(.nudge(id, Cast.user(person)), of: by)
        case .trouble(_, let by): ask(.trouble(id), of: by)
        case .checkIn(_, let by, let withCode): ask(.checkIn(id, withCode: withCode), of: by)
        case .walk(let phone, let promise, let from, let to, let speed, let stay):
            let walk = Walk(to: promise, from: from, to: to, at: speed, stay: stay, now: now)
            locate(phone, on: walk, clients[phone].phone.beginWalk())
        default: preconditionFailure("No act on a promise: \(deed)")
        }
    }

    private func actOnPeople(_ deed: Deed) {
        switch deed {
        case .block(let by, let person): ask(.block(Cast.user(person)), of: by)
        case .unblock(let by, let person): ask(.unblock(Cast.user(person)), of: by)
        case .unfriend(let by, let person): ask(.unfriend(Cast.user(person)), of: by)
        case .befriend(let by, let person): ask(.befriend(Cast.user(person)), of: by)
        case .erase(let person): ask(.erase, of: person)
        case .lookBack(let person): ask(.lookBack, of: person)
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
        case .reboot(let phone): clients[phone].phone.reboot(at: now)
        case .lie(let phone, let metres, let reports, let asMock):
            clients[phone].phone.beginLie(metres: metres, reports: reports, isMock: asMock)
        case .crash(let span): try crash(for: .milliseconds(span))
        case .fault(let isFull, let writes):
            process.disk.fail(isFull ? .full : .broken, count: writes)
            process.shelf.fail(isFull ? .full : .system(code: 5), count: writes)
        case .spoil(let statement): process.disk.fail(atStatement: statement)
        case .choke(let span):
            process.disk.choke(true)
            agenda.add(.unchoke, at: now + .milliseconds(span))
        default: preconditionFailure("No mishap: \(deed)")
        }
    }

    /// Makes a fix on a phone and reports it with the pending ones; repeated in five seconds.
    func locate(_ phone: Int, on walk: Walk, _ number: Int) {
        guard clients[phone].phone.walkNumber == number, let id = promises[walk.promise] else { return }
        clients[phone].phone.locate(on: walk, at: now)
        if clients[phone].connection != nil, !clients[phone].isReporting(to: id),
            let report = clients[phone].phone.report(at: now)
        {
            ask(.report(id, report), by: phone)
        }
        guard now - walk.startedAt < walk.duration else { return }
        agenda.add(.fix(phone: phone, walk, number: number), at: now + Walk.interval)
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
        case .block, .unblock, .unfriend, .befriend, .erase, .lookBack, .connect, .cut, .stall, .moveClock, .reboot,
            .lie, .crash, .fault, .spoil, .choke, .errand, .app:
            nil
        }
    }
}
