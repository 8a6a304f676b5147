import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import PromisedWire
import SwiftProtobuf
import Testing

@testable import PromisedSettings

/// The fixes and reports that the server refuses, with their codes (domain §5).
@Suite("Positions over a connection", .tags(.realTime), .timeLimit(.minutes(2)))
struct PositionRowTests {
    /// The faults of a fix with their codes; nil for fixes that are just acceptable.
    private static let faults: [(code: String?, change: @Sendable (inout WireFix) -> Void)] = [
        ("position.invalid", { $0.latitude = 90.000_1 }),
        ("position.invalid", { $0.latitude = -90.000_1 }),
        ("position.invalid", { $0.longitude = 180.000_1 }),
        ("position.invalid", { $0.longitude = -180.000_1 }),
        ("position.invalid", { $0.latitude = .nan }),
        ("position.invalid", { $0.longitude = .infinity }),
        ("position.invalid", { ($0.latitude, $0.longitude) = (0, 0) }),
        ("position.invalid", { $0.accuracyMetres = -0.1 }),
        ("position.invalid", { $0.accuracyMetres = 10_000.1 }),
        ("position.invalid", { $0.accuracyMetres = .nan }),
        (nil, { $0.accuracyMetres = 10_000 }),
        (nil, { $0.accuracyMetres = 0 }),
        (nil, { $0.clearAccuracyMetres() }),
        (nil, { ($0.latitude, $0.longitude) = (90, 180) }),
        (nil, { ($0.latitude, $0.longitude) = (-90, -180) }),
    ]

    @Test(.proves("5.11", "report", "position.invalid"), arguments: WireCodec.allCases)
    func `rejects an invalid position alone and accepts the rest of the report`(
        codec: WireCodec
    ) async throws {
        try await ServerWorld.withShortLead(codec: codec) { world in
            try await world.with("Ada") { people async throws in
                let id = try await people[0].openPromise(with: [], in: world)
                var report = WireReport.one(id)
                let fix = report.fixes[0]
                report.fixes = Self.faults.enumerated().map { index, fault in
                    var bad = fix
                    bad.seq = UInt32(index) + 1
                    fault.change(&bad)
                    return bad
                }
                let reported = try await people[0].client.report(report)
                let numbers = Self.faults.indices.map { UInt32($0) + 1 }
                #expect(reported.taken == numbers.filter { Self.faults[Int($0) - 1].code == nil })
                #expect(reported.rejected.map(\.seq) == numbers.filter { Self.faults[Int($0) - 1].code != nil })
                #expect(reported.rejected.map(\.code) == Self.faults.compactMap(\.code))
            }
        }
    }

    @Test(.proves("5.10", "position.outside-window", "position.in-future"))
    func `rejects a position dated ahead or outside the window alone`() async throws {
        try await ServerWorld.withShortLead { world in
            try await world.with("Ada") { people async throws in
                let ada = people[0]
                let id = try await ada.openPromise(with: [], in: world)
                let phone = DatedPhone(boot: world.now - .days(30))
                // A quarter of an hour ago the window was not open; in ten days it will be closed.
                let way: [(before: Double, metres: Double)] = [(-864_000, 300), (-90, 300), (900, 300), (0, 300)]
                let reported = try await ada.client.report(phone.report(id, sent: world.now, way))
                #expect(reported.taken == [4])
                #expect(reported.rejected.map(\.seq) == [1, 2, 3])
                #expect(
                    reported.rejected.map(\.code)
                        == ["position.in-future", "position.in-future", "position.outside-window"]
                )
                // A rejected number may be used again; an accepted one is acknowledged again.
                let again = try await ada.client.report(phone.report(id, sent: world.now, [(0, 300), (0, 300)]))
                #expect(again.taken == [1, 2])
                #expect(try await ada.client.report(phone.report(id, sent: world.now, [(0, 300)])).taken == [1])
            }
        }
    }

    @Test(.proves("5.21", "position.mock"))
    func `rejects a simulated position if the promise forbids it, else flags it`() async throws {
        try await ServerWorld.withShortLead { world in
            try await world.with("Ada") { people async throws in
                let ada = people[0]
                let strict = try await ada.openPromise(with: [], in: world) { $0.rule.mock = .reject }
                let lenient = try await ada.openPromise(with: [], in: world) { $0.rule.mock = .flag }
                for (id, rejected) in [(strict, ["position.mock"]), (lenient, [])] {
                    var report = WireReport.one(id)
                    report.fixes[0].mock = true
                    #expect(try await ada.client.report(report).rejected.map(\.code) == rejected)
                    report.fixes[0].seq += 1
                    report.fixes[0].mock = false
                    #expect(try await ada.client.report(report).rejected == [])
                }
                let explain = WireExplainArrival.with {
                    $0.promiseID = lenient
                    $0.userID = ada.id
                }
                let why = try await ada.reply(.explainArrival(explain)).expect(\.explanation)
                #expect(why.fixes.map(\.mock) == [true, false])
            }
        }
    }

    @Test(arguments: [(2, 2), (3, 3), (4, 3)])
    func `rejects single positions beyond a participant's limit of stored ones`(
        sent: UInt32,
        taken: UInt32
    ) async throws {
        let few: @Sendable (inout ServerSettings) -> Void = { $0.limits.fixes.kept = 3 }
        try await ServerWorld.withShortLead(configure: few) { world in
            try await world.with("Ada") { people async throws in
                let id = try await people[0].openPromise(with: [], in: world)
                let phone = DatedPhone(boot: world.now - .days(30))
                // The window has just opened, so they are dated ahead.
                let way = (1...sent).map { (before: -Double($0 - 1), metres: 300.0) }
                let reported = try await people[0].client.report(phone.report(id, sent: world.now, way))
                #expect(reported.taken == Array(1...taken))
                #expect(reported.rejected.map(\.seq) == Array(1...sent).filter { $0 > taken })
                #expect(reported.rejected.allSatisfy { $0.code == "position.limit" })
            }
        }
    }

    @Test func `applies the first of positions within 100 ms and acknowledges the others`() async throws {
        let spaced: @Sendable (inout ServerSettings) -> Void = {
            $0.limits.fixes.spacing = FixLimits().spacing
        }
        try await ServerWorld.withShortLead(configure: spaced) { world in
            try await world.with("Ada") { people async throws in
                let ada = people[0]
                let id = try await ada.openPromise(with: [], in: world)
                let phone = DatedPhone(boot: world.now - .days(30))
                // After the first there is one 99 ms later, one 100 ms later, and one 101 ms after that.
                let way = [0, -0.099, -0.1, -0.201].map { (before: $0, metres: 300.0) }
                #expect(try await ada.client.report(phone.report(id, sent: world.now, way)).taken == [1, 2, 3, 4])
                var explain = WireExplainArrival()
                (explain.promiseID, explain.userID) = (id, ada.id)
                guard case .explanation(let why) = try await ada.reply(.explainArrival(explain)) else {
                    return #expect(Bool(false))
                }
                #expect(why.fixes.map(\.seq) == [1, 3, 4])
            }
        }
    }

    @Test(.proves("6.15"), arguments: [(1, 1), (10, 10), (11, 10)])
    func `serves a user ten pages of explanations a minute`(asked: Int, answered: Int) async throws {
        try await ServerWorld.withShortLead { world in
            try await world.with("Ada", "Bea") { ada, bea async throws in
                let id = try await ada.openPromise(with: [bea], in: world)
                var explain = WireExplainArrival()
                (explain.promiseID, explain.userID) = (id, ada.id)
                var codes: [String?] = []
                for _ in 1...asked { codes.append(await ada.error(.explainArrival(explain))?.code) }
                #expect(codes.prefix(answered).allSatisfy { $0 == nil })
                #expect(codes.dropFirst(answered).allSatisfy { $0 == "limit.rate" })
                // A request rejected for another reason costs nothing, and another user has a separate budget.
                explain.userID = bea.id
                #expect(await bea.refusal(.explainArrival(explain)) == nil)
            }
        }
    }

    @Test(.proves("5.9"))
    func `reports a moved clock in the explanation, to administrators and by a metric`() async throws {
        try await ServerWorld.withShortLead { world in
            try await world.with("Ada") { people async throws in
                try await world.administered { admin, _ async throws in
                    let ada = people[0]
                    let id = try await ada.openPromise(with: [], in: world)
                    for (seq, lead) in [(1, 0), (2, -61), (3, -61)] as [(UInt32, Double)] {
                        var report = WireReport.one(id)
                        report.fixes[0].seq = seq
                        report.sentAt = WireTimestamp(world.now + .seconds(lead))
                        #expect(try await ada.client.report(report).taken == [seq])
                    }
                    let explain = WireExplainArrival.with {
                        $0.promiseID = id
                        $0.userID = ada.id
                    }
                    let why = try await ada.reply(.explainArrival(explain)).expect(\.explanation)
                    let kept = try await admin.admin(.exportPositions(.of(id))).expect(\.positions)
                    #expect(why.fixes.map(\.clockMoved) == [false, true, true])
                    #expect(kept.positions.map(\.clockMoved) == [false, true, true])
                    let page = try PrometheusReader(try await world.scrape())
                    #expect(page["promised_moved_clocks_total"] == 1)
                }
            }
        }
    }

    @Test(.proves("5.1")) func `rejects a report before the opening as a whole`() async throws {
        try await ServerWorld.withShortLead { world in
            try await world.with("Ada") { people async throws in
                let promise = try await people[0].promise(with: [], at: world.now + .hours(1))
                let error = try #require(await people[0].error(.report(.one(promise.promiseID))))
                #expect(error.code == "position.outside-window")
            }
        }
    }
}
