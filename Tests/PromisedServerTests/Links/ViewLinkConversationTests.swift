import Foundation
import PromisedClient
import PromisedConcurrency
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import SwiftProtobuf
import Testing

/// Watching by a link over a real connection (domain §4).
@Suite(.tags(.realTime), .timeLimit(.minutes(2)))
struct ViewLinkConversationTests {
    @Test(
        .proves("4.18", "setLinkSharing", "watchByLink", "linkSharingChanged", "linkViewChanged"),
        .defends("viewers-without-consent"),
        arguments: WireCodec.allCases
    )
    func `a viewer sees only consenting participants, until they withdraw`(
        codec: WireCodec
    ) async throws {
        try await ServerWorld.withShortLead(codec: codec) { world in
            try await world.with("Ada", "Bea") { people in
                let (ada, bea) = (people[0], people[1])
                let id = try await ada.openPromise(with: [bea], in: world)
                let code = try await ada.client.createViewLink(promiseID: id).code
                for person in people { _ = try await person.report(id, seq: 1, metres: 400) }
                try await world.withViewers { viewers in
                    let viewer = viewers[0]
                    let view = try await viewer.client.watchByLink(code)
                    #expect(view.promise.promiseID == id)
                    #expect(view.promise.participants.isEmpty)
                    #expect(view.promise.participantCount == 0)
                    #expect(view.owner.nickname == "Ada")
                    try await bea.client.setLinkSharing(promiseID: id, on: true)
                    await ada.wait { events in
                        events.contains { $0.linkSharingChanged.userID == bea.id && $0.linkSharingChanged.on }
                    }
                    await viewer.hear { $0.linkViewChanged.view.promise.participants.map(\.user.nickname) == ["Bea"] }
                    #expect(viewer.latest?.promise.participants.first?.hasPosition == true)
                    // At most the errors of both fixes: on this clock the elapsed time may be zero.
                    _ = try await ada.report(id, seq: 2, metres: 395)
                    _ = try await bea.report(id, seq: 2, metres: 395)
                    await viewer.hear { $0.positions.positions.contains { $0.userID == bea.id && $0.seq == 2 } }
                    try await bea.client.setLinkSharing(promiseID: id, on: false)
                    await viewer.wait { _ in viewer.latest?.promise.participants.isEmpty == true }
                    let seen = Set(viewer.events.flatMap(\.positions.positions).map(\.userID))
                    #expect(seen == [bea.id])
                    #expect(viewer.events.allSatisfy { $0.seq == 0 })
                    // Ada sees Bea in full all the time.
                    #expect(try await ada.part(of: bea, in: id)?.hasPosition == true)
                    #expect(try await ada.part(of: bea, in: id)?.linkSharing == false)
                }
            }
        }
    }

    @Test(.proves("4.18")) func `hides the promise's course from viewers`() async throws {
        try await ServerWorld.withShortLead { world in
            try await world.with("Ada", "Bea") { ada, bea in
                let course = try await ada.course()
                let id = try await ada.openPromise(with: [bea], in: world) { $0.courseID = course.courseID }
                #expect(try await bea.see(id).courseID == course.courseID)
                let code = try await ada.client.createViewLink(promiseID: id).code
                try await world.withViewers { viewers in
                    let viewer = viewers[0]
                    #expect(try await viewer.client.watchByLink(code).promise.courseID.isEmpty)
                    try await bea.client.setLinkSharing(promiseID: id, on: true)
                    await viewer.hear { $0.linkViewChanged.view.promise.participants.map(\.user.nickname) == ["Bea"] }
                    let edit = WireUpdatePromise.with {
                        ($0.promiseID, $0.version, $0.title) = (id, 1, "By the river")
                    }
                    #expect(await ada.refusal(.updatePromise(edit)) == nil)
                    await viewer.hear { $0.linkViewChanged.view.promise.title == "By the river" }
                    #expect(viewer.events.allSatisfy { $0.linkViewChanged.view.promise.courseID.isEmpty })
                    // The id is absent from all sent frames.
                    for event in viewer.events { #expect(try !event.jsonString().contains(course.courseID)) }
                }
            }
        }
    }

    @Test(.proves("limit.viewers")) func `admits a hundred viewers of a link and rejects one more`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people in
                let promise = try await people[0].promise(with: [], at: world.now + .hours(2))
                let code = try await people[0].client.createViewLink(promiseID: promise.promiseID).code
                let watch = WireRequest.watchByLink(.with { $0.code = code })
                try await world.devices { connect in
                    var viewers: [Device] = []
                    for number in 1...101 {
                        let viewer = try await connect()
                        #expect(try await viewer.refusal(watch) == (number > 100 ? .limitViewers : nil))
                        viewers.append(viewer)
                    }
                }
            }
        }
    }

    @Test(.proves("viewLinkCreated", "viewLinkRevoked", "viewersChanged"))
    func `notifies all participants of the link, its expiry and the number of viewers`() async throws {
        try await ServerWorld.withShortLead { world in
            try await world.with("Ada", "Bea") { ada, bea in
                let id = try await ada.openPromise(with: [bea], in: world)
                let link = try await ada.client.createViewLink(promiseID: id)
                #expect(link.code.count == 32)
                #expect(try await bea.see(id).viewLinkExpiresAt == link.expiresAt)
                #expect(try await bea.see(id).closesAt == link.expiresAt)
                try await world.withViewers { viewers in
                    _ = try await viewers[0].client.watchByLink(link.code)
                    await bea.wait { $0.contains { $0.viewersChanged.count == 1 } }
                    #expect(try await bea.see(id).viewerCount == 1)
                }
                await bea.wait { $0.last { $0.what?.name == "viewersChanged" }?.viewersChanged.count == 0 }
                try await ada.client.revokeViewLink(promiseID: id)
                await bea.wait { $0.contains { $0.what?.name == "viewLinkRevoked" } }
                let links = bea.durable(of: id).suffix(2)
                #expect(links.first?.viewLinkCreated.expiresAt == link.expiresAt)
                #expect(try await bea.see(id).hasViewLinkExpiresAt == false)
                #expect(await bea.refusal(.createViewLink(.with { $0.promiseID = id })) == .promiseNotOwner)
                #expect(await bea.refusal(.revokeViewLink(.with { $0.promiseID = id })) == .promiseNotOwner)
            }
        }
    }

    @Test(.proves("createViewLink", "revokeViewLink"), arguments: ViewLinkEnd.allCases)
    func `an expired link closes its viewers, and its code is invalid`(end: ViewLinkEnd) async throws {
        try await ServerWorld.withShortLead { world in
            try await world.with("Ada") { people in
                let ada = people[0]
                let id = try await ada.openPromise(with: [], in: world)
                let lifetime: Duration? = end == .expired ? .seconds(20) : nil
                let code = try await ada.client.createViewLink(promiseID: id, lifetime: lifetime).code
                try await world.withViewers(2) { viewers in
                    _ = try await viewers[0].client.watchByLink(code)
                    switch end {
                    case .expired: break
                    case .revoked: try await ada.client.revokeViewLink(promiseID: id)
                    case .replaced: _ = try await ada.client.createViewLink(promiseID: id)
                    case .cancelled: _ = try await ada.client.cancelPromise(id, reason: "Ada is ill")
                    }
                    let told = await viewers[0].end()
                    #expect(told?.code == CloseCode.sessionRevoked.rawValue)
                    #expect(told?.reason == end.rawValue)
                    let cancelled = viewers[0].events.first { $0.what?.name == "cancelled" }
                    #expect((cancelled != nil) == (end == .cancelled))
                    #expect(cancelled?.cancelled.reason ?? "" == "")
                    #expect(await viewers[1].refusal(.watchByLink(.with { $0.code = code })) == .codeInvalid)
                }
            }
        }
    }

    @Test(.proves("createViewLink"))
    func `limits an expiry to the window's end and rejects an invalid time`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people in
                let promise = try await people[0].promise(with: [], at: world.now + .hours(2))
                let link = try await people[0].client.createViewLink(
                    promiseID: promise.promiseID,
                    lifetime: .seconds(86_400)
                )
                #expect(link.expiresAt == promise.closesAt)
                for wrong in [0, -1, Double.nan, .infinity, 366 * 86_400_000 + 1] {
                    let request = WireCreateViewLink.with {
                        $0.promiseID = promise.promiseID
                        $0.expiresInMs = wrong
                    }
                    #expect(await people[0].refusal(.createViewLink(request)) == .requestInvalid)
                }
            }
        }
    }

    @Test(.proves("watchByLink"), .defends("viewers-without-consent"))
    func `rejects other requests of a viewer, and viewing by a signed-in user`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people in
                let ada = people[0]
                let id = try await ada.promise(with: [], at: world.now + .hours(2)).promiseID
                let code = try await ada.client.createViewLink(promiseID: id).code
                let forbidden: [WireRequest] = [
                    .getPromise(.with { $0.promiseID = id }), .subscribe(.with { $0.promiseID = id }),
                    .syncClock(WireSyncClock()), .report(WireReport()), .getMe(WireGetMe()),
                    .hello(WireHello()), .watchByLink(.with { $0.code = code }),
                    .signUp(
                        .with {
                            $0.email = "eve@example.org"
                            $0.password = "correct horse eve"
                            $0.nickname = "Eve"
                        }
                    ),
                    .exchangeCode(.with { $0.code = code }), .revokeViewLink(.with { $0.promiseID = id }),
                ]
                try await world.withViewers { viewers in
                    _ = try await viewers[0].client.watchByLink(code)
                    for request in forbidden { #expect(await viewers[0].refusal(request) == .authForbidden) }
                }
                #expect(await ada.refusal(.watchByLink(.with { $0.code = code })) == .authForbidden)
                #expect(try await ada.see(id).promiseID == id)
            }
        }
    }

    @Test(arguments: ["", "x", String(repeating: "A", count: 32), String(repeating: "é", count: 1_000)])
    func `rejects a wrong code of any form`(code: String) async throws {
        try await ServerWorld.with { world in
            try await world.withViewers { viewers in
                #expect(await viewers[0].refusal(.watchByLink(.with { $0.code = code })) == .codeInvalid)
                #expect(await viewers[0].refusal(.exchangeCode(.with { $0.code = code })) == .codeInvalid)
                #expect(await viewers[0].refusal(.getMe(WireGetMe())) == .authRequired)
            }
        }
    }

    @Test(.proves("watchByLink")) func `a restart keeps the link and the consents`() async throws {
        let directory = NSTemporaryDirectory() + "promised-links-" + UUID().uuidString
        // The system removes it if this fails.
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let code = Guarded("")
        try await ServerWorld.with(directory: directory) { world in
            try await world.with("Ada", "Bea") { people in
                let id = try await people[0].promise(with: [people[1]], at: world.now + .hours(2)).promiseID
                let link = try await people[0].client.createViewLink(promiseID: id)
                code.withLock { $0 = link.code }
                try await people[1].client.setLinkSharing(promiseID: id, on: true)
            }
        }
        try await ServerWorld.with(directory: directory) { world in
            try await world.withViewers { viewers in
                let view = try await viewers[0].client.watchByLink(code.withLock { $0 })
                #expect(view.promise.participants.map(\.user.nickname) == ["Bea"])
                #expect(view.owner.nickname == "Ada")
            }
        }
    }
}
