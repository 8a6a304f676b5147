import PromisedDomain
import PromisedProtocol
import PromisedTestSupport
import PromisedTransport
import PromisedWire
import SwiftProtobuf

/// Ada promises to meet Bea and Cid: Bea walks there, Ada checks in by hand, Cid leaves and is excused.
struct TranscribedMeetup {
    static let meetsAt = ServerWorld.start + .hours(2)

    let ada: TranscribedClient
    let bea: TranscribedClient
    let cid: TranscribedClient
    var transcript: Transcript
    private var ids: [String: String] = [:]
    private(set) var promiseID = ""

    init(ada: TranscribedClient, bea: TranscribedClient, cid: TranscribedClient, clock: ManualClock) {
        self.ada = ada
        self.bea = bea
        self.cid = cid
        transcript = Transcript(of: [ada, bea, cid], clock: clock, meetsAt: TranscribedMeetup.meetsAt)
    }

    var people: [TranscribedClient] { [ada, bea, cid] }

    func id(_ person: TranscribedClient) -> String { ids[person.name] ?? "" }

    // MARK: - Before the window

    mutating func signUp() async throws {
        transcript.chapter("Signing up")
        try await transcript.ask(ada, .getMe(WireGetMe()))
        for person in people {
            let request = WireSignUp.with {
                $0.email = "\(person.name)@example.org"
                $0.password = "correct horse \(person.name)"
                $0.nickname = person.name
            }
            guard case .session(let session) = try await transcript.ask(person, .signUp(request)) else {
                throw Device.NoReply()
            }
            ids[person.name] = session.user.userID
            let hello = WireHello.with {
                $0.token = session.accessToken
                $0.client.name = "transcript"
                $0.client.version = "1"
                $0.client.platform = "test"
                $0.deviceID = "phone of \(person.name)"
                $0.bootID = "1"
            }
            try await transcript.ask(person, .hello(hello))
        }
        try await transcript.ask(bea, .updateMe(.sample(avatar: "fox", locale: "de-AT", timeZone: "Europe/Vienna")))
    }

    mutating func makeFriends() async throws {
        transcript.chapter("Making friends")
        try await transcript.ask(ada, .findUser(.named("bea")))
        let request = WireRequestFriend.with { $0.nickname = "BEA" }
        try await transcript.ask(ada, .requestFriend(request))
        try await transcript.ask(ada, .requestFriend(request))
        try await transcript.ask(bea, .listFriendRequests(WireListFriendRequests()))
        let accept = WireAcceptFriend.with { $0.userID = id(ada) }
        try await transcript.ask(bea, .acceptFriend(accept))
        // Crossing requests are an acceptance.
        var crossing = WireRequestFriend()
        crossing.userID = id(cid)
        try await transcript.ask(ada, .requestFriend(crossing))
        crossing.userID = id(ada)
        try await transcript.ask(cid, .requestFriend(crossing))
        try await transcript.ask(ada, .listFriends(WireListFriends()))
    }

    mutating func promise() async throws {
        transcript.chapter("Making a promise")
        var request = WireCreatePromise.sample(key: "dinner", meetsAt: TranscribedMeetup.meetsAt)
        request.penalty.amount = 500
        request.penalty.currency = "EUR"
        request.inviteeIds = [id(bea)]
        guard case .promise(let reply) = try await transcript.ask(ada, .createPromise(request)) else {
            throw Device.NoReply()
        }
        promiseID = reply.promise.promiseID
        transcript.stir = (ada, .respond(.to(promiseID, accept: true)))
        let edit = WireUpdatePromise.with {
            $0.promiseID = promiseID
            $0.version = 1
            $0.title = "Supper"
        }
        try await transcript.ask(ada, .updatePromise(edit))
        try await transcript.ask(ada, .updatePromise(edit))
        try await transcript.ask(bea, .subscribe(.of(promiseID)))
        try await transcript.ask(bea, .respond(.to(promiseID, accept: true)))
        try await comeByCode()
        try await subscribe()
    }

    private mutating func comeByCode() async throws {
        let request = WireCreateInvite.with {
            $0.promiseID = promiseID
            $0.expiresInMs = 600_000
        }
        guard case .invite(let invite) = try await transcript.ask(ada, .createInvite(request)) else {
            throw Device.NoReply()
        }
        var join = WireJoinByCode()
        join.code = "not a code"
        try await transcript.ask(cid, .joinByCode(join))
        join.code = invite.code
        try await transcript.ask(cid, .joinByCode(join))
        let list = WireListPromises.with { $0.list = .upcoming }
        try await transcript.ask(cid, .listPromises(list))
    }

    private mutating func subscribe() async throws {
        guard case .subscribed(let reply) = try await transcript.ask(ada, .subscribe(.of(promiseID))) else {
            throw Device.NoReply()
        }
        for person in [bea, cid] {
            var request = WireSubscribe.of(promiseID)
            request.epoch = reply.epoch
            request.lastSeq = 1
            try await transcript.ask(person, .subscribe(request))
        }
    }

    // MARK: - On the way

    mutating func setOut() async throws {
        transcript.chapter("Setting out")
        try await transcript.ask(bea, .report(report(1, metres: 400)))
        try await transcript.wait(until: -.minutes(30))
        try await transcript.ask(bea, .report(report(2, metres: 400)), hearing: everybody("positions"))
        let status = WireSetStatus.with {
            $0.promiseID = promiseID
            $0.text = "On my way"
            $0.emoji = "🚶"
        }
        try await transcript.ask(bea, .setStatus(status))
        let trouble = WireReportTrouble.with {
            $0.promiseID = promiseID
            $0.cause = .noFix
        }
        try await transcript.ask(cid, .reportTrouble(trouble))
        let nudge = WireNudge.with {
            $0.promiseID = promiseID
            $0.userID = id(cid)
        }
        try await transcript.ask(ada, .nudge(nudge))
        try await transcript.ask(ada, .nudge(nudge))
        try await pause()
        for (step, metres) in [340.0, 270, 200, 130, 70].enumerated() {
            try await transcript.wait(until: -.seconds(1_740 - Double(step) * 60))
            try await transcript.ask(
                bea,
                .report(report(UInt32(step + 3), metres: metres)),
                hearing: everybody("positions")
            )
        }
    }

    private mutating func pause() async throws {
        var sharing = WireSetSharing()
        sharing.promiseID = promiseID
        try await transcript.ask(cid, .setSharing(sharing))
        try await transcript.ask(cid, .report(report(1, metres: 900)))
        sharing.on = true
        try await transcript.ask(cid, .setSharing(sharing))
    }

    mutating func arrive() async throws {
        transcript.chapter("Arriving")
        for (step, metres) in [30.0, 12, 12].enumerated() {
            try await transcript.wait(until: -.seconds(1_470 - Double(step) * 10))
            try await transcript.ask(
                bea,
                .report(report(UInt32(step + 8), metres: metres)),
                hearing: everybody("positions")
            )
        }
        try await transcript.wait(until: -.seconds(1_200))
        try await transcript.ask(ada, .checkIn(.at(promiseID)))
        try await transcript.ask(ada, .report(report(1, metres: 40)), hearing: everybody("positions"))
        try await transcript.ask(ada, .checkIn(.at(promiseID)))
        try await transcript.ask(ada, .getCheckInCode(.of(promiseID)))
        try await transcript.ask(cid, .checkIn(.at(promiseID, code: "12345")))
        try await transcript.ask(cid, .leavePromise(.of(promiseID)))
        try await transcript.ask(cid, .report(report(2, metres: 900)))
    }

    // MARK: - Parts

    private func everybody(_ name: String) -> Transcript.Heard { people.map { ($0, [name]) } }

    private func report(_ seq: UInt32, metres: Double) -> WireReport {
        var report = WireReport()
        report.promiseID = promiseID
        let fix = WireFix.with {
            $0.seq = seq
            $0.latitude = 37.5 + metres / 111_195
            $0.longitude = 127
            $0.accuracyMetres = 5
        }
        report.fixes = [fix]
        return report
    }
}
