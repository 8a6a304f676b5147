import Foundation
import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedTestMarks
import SwiftProtobuf
import Testing

@testable import PromisedServer

@Suite("Administration of promises", .tags(.realTime), .timeLimit(.minutes(3)))
struct AdminPromiseConversationTests {
    @Test(arguments: WireCodec.allCases)
    func `creates a promise for its owner and invites their friends`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada", "Bea", "Cleo") { people async throws in
                try await world.administered { admin, _ async throws in
                    let (ada, bea) = (people[0], people[1])
                    try await ada.befriend(bea)
                    var create = WireAdminCreatePromise()
                    create.ownerID = ada.id
                    create.promise = .sample(meetsAt: world.now + .hours(2), invitees: [bea])
                    let made = try await admin.promise(.createPromise(create))
                    #expect(made.ownerID == ada.id && made.participants.count == 2)
                    await bea.hears {
                        if case .invited(let invited) = $0 {
                            invited.promise.promiseID == made.promiseID
                        } else {
                            false
                        }
                    }
                    let entry = try await admin.audit()[0]
                    #expect(entry.action == "createPromise" && entry.subject == made.promiseID)
                    #expect(entry.detail == "owner \(ada.id)")
                    // A repeated key returns the same promise, without another audit entry.
                    #expect(try await admin.promise(.createPromise(create)).promiseID == made.promiseID)
                    #expect(try await admin.audit()[0] == entry)
                    create.promise = .sample(meetsAt: world.now + .hours(3), invitees: [people[2]])
                    #expect(
                        try await admin.adminRefusal(.createPromise(create))
                            == AdminRefusal(.promiseNotFriend, "inviteeIds[0]")
                    )
                    create.promise = .sample(meetsAt: world.now + .minutes(5))
                    #expect(try await admin.adminRefusal(.createPromise(create))?.code == "promise.too-soon")
                    create.promise.title = ""
                    #expect(
                        try await admin.adminRefusal(.createPromise(create)) == AdminRefusal(.requestInvalid, "title")
                    )
                    create.ownerID = "0192f0a0-0000-7000-8000-000000000000"
                    #expect(
                        try await admin.adminRefusal(.createPromise(create)) == AdminRefusal(.userNotFound, "ownerId")
                    )
                }
            }
        }
    }

    @Test func `lists promises of a user or a status by time, in pages`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { people async throws in
                try await world.administered { admin, _ async throws in
                    let (ada, bea) = (people[0], people[1])
                    let late = try await ada.promise(with: [bea], at: world.now + .hours(4))
                    let early = try await bea.client.createPromise(.sample(meetsAt: world.now + .hours(2))).promise
                    var list = WireAdminListPromises()
                    let all = try await admin.promises(list)
                    #expect(all.promises.map(\.promiseID) == [late.promiseID, early.promiseID])
                    #expect(all.promises.map(\.participantCount) == [2, 1] && all.promises[0].participants.isEmpty)
                    list.limit = 1
                    let first = try await admin.promises(list)
                    #expect(first.promises.map(\.promiseID) == [late.promiseID] && !first.cursor.isEmpty)
                    list.cursor = first.cursor
                    let second = try await admin.promises(list)
                    #expect(second.promises.map(\.promiseID) == [early.promiseID] && second.cursor.isEmpty)
                    list = WireAdminListPromises()
                    list.userID = ada.id
                    #expect(try await admin.promises(list).promises.map(\.promiseID) == [late.promiseID])
                    list = WireAdminListPromises()
                    list.status = .cancelled
                    #expect(try await admin.promises(list).promises == [])
                    _ = try await admin.promise(.cancelPromise(.of(early.promiseID)))
                    #expect(try await admin.promises(list).promises.map(\.promiseID) == [early.promiseID])
                    list.status = .scheduled
                    #expect(try await admin.promises(list).promises.map(\.promiseID) == [late.promiseID])
                    list.userID = "0192f0a0-0000-7000-8000-000000000000"
                    #expect(try await admin.adminRefusal(.listPromises(list)) == AdminRefusal(.userNotFound, "userId"))
                }
            }
        }
    }

    @Test(.proves("admin")) func `edits as the owner, under the given version or any`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { people async throws in
                try await world.administered { admin, _ async throws in
                    let (ada, bea) = (people[0], people[1])
                    let id = try await ada.promise(with: [bea], at: world.now + .hours(2)).promiseID
                    _ = try await bea.client.subscribe(promiseID: id)
                    var edit = WireUpdatePromise.of(id)
                    edit.title = "Supper"
                    edit.note = "Bring wine"
                    #expect(try await admin.promise(.editPromise(edit)).version == 2)
                    await bea.hears {
                        if case .edited(let edited) = $0 { edited.promise.title == "Supper" } else { false }
                    }
                    edit.version = 1
                    #expect(try await admin.adminRefusal(.editPromise(edit))?.code == "promise.stale-version")
                    edit.version = 2
                    edit.title = "Dinner"
                    #expect(try await admin.promise(.editPromise(edit)).title == "Dinner")
                    edit = .of(id)
                    edit.remove = [bea.id]
                    let parted = try await admin.promise(.editPromise(edit))
                    #expect(parted.participants.first { $0.user.userID == bea.id }?.membership == .removed)
                    edit = .of(id)
                    edit.radiusMetres = 5
                    #expect(
                        try await admin.adminRefusal(.editPromise(edit))
                            == AdminRefusal(.requestInvalid, "radiusMetres")
                    )
                    let audit = try await admin.audit().filter { $0.action == "editPromise" }
                    #expect(audit.map(\.detail) == ["remove", "title, note", "title, note"])
                    #expect(audit.allSatisfy { $0.subject == id })
                }
            }
        }
    }

    @Test func `notifies all of a cancellation`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { people async throws in
                try await world.administered { admin, _ async throws in
                    let id = try await people[0].promise(with: [people[1]], at: world.now + .hours(2)).promiseID
                    var cancel = WireCancelPromise.of(id)
                    cancel.reason = "Storm"
                    #expect(try await admin.promise(.cancelPromise(cancel)).status == .cancelled)
                    for person in people { await person.hears { $0 == .cancelled(.with { $0.reason = "Storm" }) } }
                    #expect(try await admin.adminRefusal(.cancelPromise(cancel))?.code == "promise.closed")
                    #expect(try await admin.adminRefusal(.getResult(.of(id)))?.code == "promise.closed")
                    #expect(try await admin.audit().filter { $0.action == "cancelPromise" }.map(\.subject) == [id])
                }
            }
        }
    }

    @Test func `a watching administrator receives all events with positions until unsubscribing`() async throws {
        try await ServerWorld.withShortLead { world in
            try await world.with("Ada", "Bea") { people async throws in
                try await world.administered { admin, connect async throws in
                    let (ada, bea) = (people[0], people[1])
                    let id = try await ada.openPromise(with: [bea], in: world)
                    let watching = try await admin.admin(.watchPromise(.of(id))).expect(\.watching)
                    #expect(watching.snapshot.participants.count == 2 && !watching.epoch.isEmpty)
                    #expect(watching.seq >= 1 && watching.nextReportMs == 0)
                    // A block hides the two from each other, not from an administrator.
                    let second = try await connect()
                    try await second.helloAsAdministrator(try world.adminSecret())
                    #expect(try await second.adminRefusal(.blockUser(.of(ada.id, bea.id))) == nil)
                    _ = try await bea.report(id, seq: 1, metres: 400)
                    let positions = try await admin.event { if case .positions = $0 { true } else { false } }
                    #expect(positions.promiseID == id && positions.positions.positions.map(\.userID) == [bea.id])
                    #expect(try await second.session(id).subscribers == 3)
                    #expect(try await second.sessions().map(\.promiseID) == [id])
                    #expect(try await second.session(id).fixes == 1)
                    #expect(try await admin.adminRefusal(.unwatchPromise(.of(id))) == nil)
                    #expect(try await second.session(id).subscribers == 2)
                    #expect(try await admin.adminRefusal(.unwatchPromise(.of(id))) == nil)
                }
            }
        }
    }

    @Test func `exports stored positions in pages`() async throws {
        try await ServerWorld.withShortLead { world in
            try await world.with("Ada", "Bea") { people async throws in
                try await world.administered { admin, _ async throws in
                    let (ada, bea) = (people[0], people[1])
                    let id = try await ada.openPromise(with: [bea], in: world)
                    for seq in 1...3 as ClosedRange<UInt32> {
                        _ = try await bea.report(id, seq: seq, metres: 400 - Double(seq))
                        _ = try await ada.report(id, seq: seq, metres: 300)
                    }
                    var export = WireAdminExportPositions.of(id)
                    export.limit = 4
                    let first = try await admin.admin(.exportPositions(export)).expect(\.positions)
                    #expect(first.positions.count == 4 && !first.cursor.isEmpty)
                    export.cursor = first.cursor
                    let second = try await admin.admin(.exportPositions(export)).expect(\.positions)
                    #expect(second.positions.count == 2 && second.cursor.isEmpty)
                    let all = first.positions + second.positions
                    // Each user's entries are in order; their interleaving depends on when they are written.
                    for person in [ada, bea] {
                        let own = all.filter { $0.userID == person.id }
                        #expect(own.map(\.fix.seq) == [1, 2, 3] && Set(own.map(\.device)).count == 1)
                    }
                    #expect(all.allSatisfy { $0.fix.accuracyMetres == 5 && $0.hasFixTime && $0.hasReceivedAt })
                    export.cursor = "x"
                    #expect(
                        try await admin.adminRefusal(.exportPositions(export))
                            == AdminRefusal(.requestInvalid, "cursor")
                    )
                    export.limit = 0
                    export.cursor = ""
                    #expect(
                        try await admin.adminRefusal(.exportPositions(export)) == AdminRefusal(.requestInvalid, "limit")
                    )
                }
            }
        }
    }

    @Test func `gives results, explanations and excuses like the owner's`() async throws {
        try await ServerWorld.withShortLead { world in
            try await world.with("Ada", "Bea", "Cleo") { people async throws in
                try await world.administered { admin, _ async throws in
                    let (ada, bea) = (people[0], people[1])
                    let id = try await ada.openPromise(with: [bea], in: world)
                    _ = try await bea.report(id, seq: 1, metres: 400)
                    #expect(try await admin.adminRefusal(.getResult(.of(id)))?.code == "result.not-final")
                    var explain = WireExplainArrival.of(id)
                    explain.userID = bea.id
                    let explanation = try await admin.admin(.explainArrival(explain)).expect(\.explanation)
                    #expect(explanation.fixes.count == 1)
                    explain.userID = people[2].id
                    #expect(
                        try await admin.adminRefusal(.explainArrival(explain)) == AdminRefusal(.userNotFound, "userId")
                    )
                    var excuse = WireExcuse.of(id)
                    excuse.userID = bea.id
                    excuse.reason = "A strike"
                    let table = try await admin.admin(.excuse(excuse)).expect(\.result)
                    #expect(table.rows.first { $0.user.userID == bea.id }?.outcome == .excused)
                    let entry = try await admin.audit()[0]
                    #expect(entry.action == "excuse" && entry.subject == id && entry.detail == bea.id)
                    excuse.reason = ""
                    #expect(try await admin.adminRefusal(.excuse(excuse)) == AdminRefusal(.requestInvalid, "reason"))
                }
            }
        }
    }

    @Test func `lists promises in memory by their meeting, in pages`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people async throws in
                try await world.administered { admin, _ async throws in
                    var ids: [String] = []
                    for start in [TimeSpan.hours(3), .hours(2), .hours(4)] {
                        ids.append(try await people[0].promise(with: [], at: world.now + start).promiseID)
                    }
                    var list = WireAdminListSessions()
                    list.limit = 1
                    // Creating and showing a future promise does not load it into memory; following it does.
                    for id in ids { _ = try await admin.promise(.showPromise(.of(id))) }
                    #expect(try await admin.admin(.listSessions(list)).expect(\.sessions).sessions.isEmpty)
                    for id in ids { _ = try await people[0].client.subscribe(promiseID: id) }
                    var pages: [[String]] = []
                    repeat {
                        let page = try await admin.admin(.listSessions(list)).expect(\.sessions)
                        pages.append(page.sessions.map(\.promiseID))
                        list.cursor = page.cursor
                    } while !list.cursor.isEmpty && pages.count < 4
                    #expect(pages == [[ids[1]], [ids[0]], [ids[2]]])
                }
            }
        }
    }

    @Test func `every form rejects an unknown promise`() async throws {
        try await ServerWorld.with { world in
            try await world.administered { admin, _ async throws in
                for id in ["0192f0a0-0000-7000-8000-000000000000", "rubbish"] {
                    let code = id == "rubbish" ? "request.invalid" : "promise.not-found"
                    var explain = WireExplainArrival.of(id)
                    explain.userID = id.replacing("rubbish", with: "0192f0a0-0000-7000-8000-000000000000")
                    var excuse = WireExcuse.of(id)
                    excuse.userID = explain.userID
                    excuse.reason = "Why not"
                    let forms: [WireAdminRequest.OneOf_Request] = [
                        .showPromise(.of(id)), .editPromise(.of(id)), .cancelPromise(.of(id)), .watchPromise(.of(id)),
                        .getResult(.of(id)), .explainArrival(explain), .excuse(excuse), .exportPositions(.of(id)),
                        .showSession(.of(id)),
                    ]
                    for form in forms { #expect(try await admin.adminRefusal(form)?.code == code, "\(form)") }
                }
                #expect(try await admin.sessions() == [])
                #expect(try await admin.audit().map(\.action) == ["createToken"])
            }
        }
    }
}

extension Device {
    /// A page of promises.
    func promises(_ list: WireAdminListPromises) async throws -> WirePromises {
        guard case .promises(let promises) = try await admin(.listPromises(list)) else { throw NoReply() }
        return promises
    }

    /// A promise in memory.
    func session(_ promiseID: String) async throws -> WireAdminSession {
        guard case .session(let session) = try await admin(.showSession(.of(promiseID))) else { throw NoReply() }
        return session
    }

    /// All promises in memory.
    func sessions() async throws -> [WireAdminSession] {
        guard case .sessions(let list) = try await admin(.listSessions(WireAdminListSessions())) else {
            throw NoReply()
        }
        return list.sessions
    }
}
