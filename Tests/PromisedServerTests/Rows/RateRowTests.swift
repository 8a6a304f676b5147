import PromisedClient
import PromisedDomain
import PromisedEngine
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import Testing

@testable import PromisedSettings

/// The rate of requests of one connection, and the close that follows beyond it (docs/protocol.md#connecting).
@Suite("Rates over a connection", .tags(.realTime), .timeLimit(.minutes(2)))
struct RateRowTests {
    /// A clock without refills during a test: a real minute is less than a tenth of its second.
    private static let standstill = 0.001
    /// A rate of fixes with almost no refill during a test, on a clock twenty times as fast.
    private static let slow: @Sendable (inout ServerSettings) -> Void = {
        $0.limits.fixes.perSecond = 1
        $0.limits.requestBurst = 1_000
    }

    @Test(.proves("limit.rate"), arguments: WireCodec.allCases)
    func `answers forty requests at once and rejects the next with the time to wait`(
        codec: WireCodec
    ) async throws {
        try await ServerWorld.with(codec: codec, rate: Self.standstill) { world in
            try await world.devices { connect in
                let device = try await connect()
                _ = try await device.signUp("Ada")
                for _ in 2...40 { #expect(try await device.refusal(.getMe(WireGetMe())) == nil) }
                let error = try await device.call(.getMe(WireGetMe())).expect(\.error)
                #expect(error.code == "limit.rate")
                #expect(error.retry == .later)
                #expect(error.retryAfterMs > 0)
                // Another connection of the same user has a separate budget.
                let other = try await connect()
                let credentials = WireSignIn.sample("Ada@example.org", "correct horse battery")
                #expect(try await other.refusal(.signIn(credentials)) == nil)
            }
        }
    }

    @Test(.proves("4005"), .defends("request-storms"))
    func `the fortieth refusal within ten seconds closes the connection`() async throws {
        try await ServerWorld.with(rate: Self.standstill) { world in
            try await world.devices { connect in
                let device = try await connect()
                _ = try await device.signUp("Ada")
                for _ in 2...40 { #expect(try await device.refusal(.getMe(WireGetMe())) == nil) }
                for _ in 1...40 { #expect(try await device.refusal(.getMe(WireGetMe())) == .limitRate) }
                #expect(try await device.closed() == CloseCode.rate.rawValue)
            }
        }
    }

    /// A clock twenty times as fast: a token is added every 2.5 ms of real time.
    @Test(.proves("4005")) func `does not close a client that waits as requested`() async throws {
        try await ServerWorld.with(rate: 20) { world in
            try await world.devices { connect in
                let device = try await connect()
                _ = try await device.signUp("Ada")
                var refusals = 0
                while refusals < 60 {
                    guard case .error(let error) = try await device.call(.getMe(WireGetMe())) else { continue }
                    #expect(error.code == "limit.rate")
                    #expect(error.retryAfterMs > 0)
                    refusals += 1
                    try await ContinuousClock().sleep(for: .milliseconds(Int64(error.retryAfterMs)))
                }
            }
        }
    }

    @Test(.proves("4005")) func `every refusal by the rate has the time to wait, also the last`() async throws {
        try await ServerWorld.with(rate: Self.standstill) { world in
            try await world.devices { connect in
                let device = try await connect()
                _ = try await device.signUp("Ada")
                for _ in 2...40 { #expect(try await device.refusal(.getMe(WireGetMe())) == nil) }
                for _ in 1...40 {
                    let error = try await device.call(.getMe(WireGetMe())).expect(\.error)
                    #expect(error.retryAfterMs > 0)
                }
            }
        }
    }

    @Test(.proves("limit.rate"), .defends("request-storms"))
    func `counts requests without an id and unknown ones`() async throws {
        try await ServerWorld.with(rate: Self.standstill) { world in
            try await world.devices { connect in
                let device = try await connect()
                _ = try await device.signUp("Ada")
                for _ in 2...20 { try device.send(.syncClock(WireSyncClock()), id: 0) }
                for _ in 21...40 {
                    let answer = try await device.exchange(Array(#"{"id":1,"dance":{}}"#.utf8))
                    #expect(String(decoding: answer, as: UTF8.self).contains("request.unknown"))
                }
                #expect(try await device.refusal(.getMe(WireGetMe())) == .limitRate)
            }
        }
    }

    @Test(.proves("limit.rate")) func `a budget refills with time`() async throws {
        // Two seconds of this clock are a fifth of a real one, in which a bucket of 40 is full again.
        try await ServerWorld.with(rate: 10) { world in
            try await world.devices { connect in
                let device = try await connect()
                _ = try await device.signUp("Ada")
                var refused = false
                while !refused { refused = try await device.refusal(.getMe(WireGetMe())) == .limitRate }
                try await world.service.clock.sleep(until: world.now + .seconds(2))
                for _ in 1...40 { #expect(try await device.refusal(.getMe(WireGetMe())) == nil) }
            }
        }
    }

    @Test(.proves("5.22"), arguments: WireCodec.allCases)
    func `rejects a report beyond four hundred fixes as a whole, on the same connection`(
        codec: WireCodec
    ) async throws {
        try await ServerWorld.withShortLead(codec: codec, configure: Self.slow) { world in
            try await world.with("Ada") { people async throws in
                let ada = people[0]
                let id = try await ada.openPromise(with: [], in: world)
                var report = WireReport.one(id)
                let fix = report.fixes[0]
                var seq: UInt32 = 0
                var refused: WireErrorReply?
                var taken = 0
                while refused == nil {
                    report.fixes = (1...200 as ClosedRange<UInt32>).map { offset in
                        var next = fix
                        next.seq = seq + offset
                        return next
                    }
                    seq += 200
                    switch await ada.error(.report(report)) {
                    case let error?: refused = error
                    case nil: taken += 1
                    }
                }
                #expect(taken >= 2)
                #expect(refused?.code == "limit.rate" && refused?.retry == .later)
                #expect((1...10_000).contains(refused?.retryAfterMs ?? 0))
                // Any number of these refusals does not close a connection.
                for _ in 1...60 { _ = await ada.error(.report(report)) }
                #expect(await ada.refusal(.getMe(WireGetMe())) == nil)
                var explain = WireExplainArrival()
                (explain.promiseID, explain.userID) = (id, ada.id)
                #expect(await ada.refusal(.explainArrival(explain)) == nil)
            }
        }
    }

    @Test(.proves("5.22", "5.26"))
    func `rejects a report to all promises as a whole if one has no room`() async throws {
        try await ServerWorld.withShortLead(configure: Self.slow) { world in
            try await world.with("Ada") { people async throws in
                let ada = people[0]
                let first = try await ada.openPromise(with: [], in: world)
                _ = try await ada.openPromise(with: [], in: world)
                func report(_ id: String?, _ seqs: ClosedRange<UInt32>) -> WireReport {
                    var report = WireReport.one(id)
                    let fix = report.fixes[0]
                    report.fixes = seqs.map { seq in
                        var next = fix
                        next.seq = seq
                        return next
                    }
                    return report
                }
                for seqs in [1...200, 201...400] as [ClosedRange<UInt32>] {
                    #expect(await ada.error(.report(report(first, seqs))) == nil)
                }
                #expect(await ada.error(.report(report(nil, 401...600)))?.code == "limit.rate")
            }
        }
    }

    @Test(.proves("2.6", "limit.attempts"))
    func `delays sign-ins to an account after too many failures, from any address`() async throws {
        let few: @Sendable (inout ServerSettings) -> Void = { $0.throttle.signInsPerAccount = 3 }
        try await ServerWorld.with(configure: few) { world in
            try await world.devices { connect in
                _ = try await connect().signUp("Ada")
                let wrong = WireRequest.signIn(.sample("ADA@example.org", "wrong password"))
                let right = WireRequest.signIn(.sample("ada@example.org", "correct horse battery"))
                let device = try await connect()
                for _ in 1...2 { #expect(try await device.refusal(wrong) == .authInvalidCredentials) }
                #expect(try await device.refusal(right) == nil)
                let second = try await connect()
                #expect(try await second.refusal(wrong) == .authInvalidCredentials)
                let error = try await second.call(right).expect(\.error)
                #expect(error.code == "limit.attempts")
                #expect((1...900_000).contains(error.retryAfterMs))
            }
        }
    }

    @Test(.proves("2.8"), .defends("refresh-storms"))
    func `refreshes a session ten times a minute, and keeps its token beyond that`() async throws {
        try await ServerWorld.with { world in
            try await world.devices { connect in
                let ada = try await connect()
                var token = try await ada.signUp("Ada").refreshToken
                for _ in 1...10 {
                    let session = try await ada.call(.refresh(.sample(token))).expect(\.session)
                    token = session.refreshToken
                }
                let error = try await ada.call(.refresh(.sample(token))).expect(\.error)
                #expect(error.code == "limit.rate")
                #expect(error.retry == .later)
                #expect((1...60_000).contains(error.retryAfterMs))
                // The session continues, and another one of the same user has separate refreshes.
                #expect(try await ada.refusal(.getMe(WireGetMe())) == nil)
                let second = try await connect()
                let credentials = WireSignIn.sample("Ada@example.org", "correct horse battery")
                let other = try await second.call(.signIn(credentials)).expect(\.session)
                #expect(try await second.refusal(.refresh(.sample(other.refreshToken))) == nil)
            }
        }
    }
}
