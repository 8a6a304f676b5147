import PromisedDomain
import PromisedProtocol
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedWorld

@Suite struct SenderCheckTests {
    private static func me(_ user: UInt64) -> WireContent {
        var me = WireMe()
        me.user.userID = UserID.user(user).description
        return .me(me)
    }

    @Test(.proves("18.35")) func `finds a reply about another user`() throws {
        var welcome = WireWelcome()
        welcome.user.userID = UserID.user(2).description
        for reply in [Self.me(2), .welcome(welcome)] {
            try SenderCheck.check(reply, to: .user(2), hasUser: true)
            #expect(throws: Violation.self) { try SenderCheck.check(reply, to: .user(1), hasUser: true) }
        }
        try SenderCheck.check(.done(WireDone()), to: .user(1), hasUser: true)
    }

    @Test func `finds a request that succeeds before the sign-in`() throws {
        var check = SenderCheck()
        let get = WireRequest.getMe(WireGetMe())
        let arrivals: [(WireRequest, ConnectionNumber)] = [(get, 1), (.hello(WireHello()), 1), (get, 1), (get, 2)]
        #expect(arrivals.map { check.noteArrival(of: $0, on: $1) } == [false, true, true, false])
        #expect(throws: Violation.self) { try SenderCheck.check(Self.me(1), to: .user(1), hasUser: false) }
        try SenderCheck.check(.error(WireErrorReply(.authRequired)), to: .user(1), hasUser: false)
    }

    @Test(.proves("18.35")) func `finds a fix stored for another user than its device's`() throws {
        let fix = ArchivedFix(
            userID: .user(1),
            device: DeviceKey(deviceID: "phone", bootID: "1"),
            fix: SettledFix(seq: 1, coordinate: .meetingPlace, time: .meeting, receivedAt: .meeting)
        )
        for owners in [["phone": UserID.user(1)], ["other": .user(2)]] { try SenderCheck.check([fix], from: owners) }
        #expect(throws: Violation.self) { try SenderCheck.check([fix], from: ["phone": .user(2)]) }
    }

    @Test(.proves("18.36")) func `finds more requests than the rate allows`() throws {
        var check = RateCheck(perSecond: 2, burst: 3)
        let done = WireContent.done(WireDone())
        for milliseconds in [0, 0, 500, 500, 999] as [Int64] {
            try check.note(done, on: 1, arrivedAt: .meeting + .milliseconds(milliseconds))
        }
        try check.note(.error(WireErrorReply(.limitRate)), on: 1, arrivedAt: .meeting + .milliseconds(999))
        var late = check
        try late.note(done, on: 1, arrivedAt: .meeting + .milliseconds(1_000))
        try check.note(done, on: 2, arrivedAt: .meeting + .milliseconds(999))
        #expect(throws: Violation.self) { try check.note(done, on: 1, arrivedAt: .meeting + .milliseconds(999)) }
    }
}
