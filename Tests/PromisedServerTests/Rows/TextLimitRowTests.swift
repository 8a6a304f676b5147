import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import PromisedWire
import SwiftProtobuf
import Testing

@testable import PromisedSettings

/// Every limit of a field, at one below, at, and one above, over a connection (domain §10).
@Suite("Limits of fields over a connection", .tags(.realTime), .timeLimit(.minutes(2)))
struct TextLimitRowTests {
    private static let meetsAt = ServerWorld.start + .hours(2)
    private static let busy: @Sendable (inout ServerSettings) -> Void = {
        $0.limits.requestBurst = 1_000
    }

    /// A text of `count` user-perceived characters of two code points each.
    private static func text(_ count: Int) -> String { String(repeating: "e\u{301}", count: count) }

    /// A field of a new promise, its value, and `true` if it is valid.
    private typealias Change = @Sendable (inout WireCreatePromise, Int) -> Void

    @Test(.proves("4.1", "10.1", "createPromise", "request.invalid")) func `the fields of a promise`() async throws {
        let fields: [(field: String, good: [Int], bad: [Int], change: Change)] = [
            ("key", [1, 63, 64], [0, 65], { $0.key = String(repeating: "k", count: $1) }),
            ("title", [1, 59, 60], [0, 61], { $0.title = Self.text($1) }),
            ("note", [0, 499, 500], [501], { $0.note = Self.text($1) }),
            ("place.name", [1, 99, 100], [0, 101], { $0.place.name = Self.text($1) }),
            ("place.address", [0, 199, 200], [201], { $0.place.address = Self.text($1) }),
            ("radiusMetres", [20, 21, 499, 500], [-1, 0, 19, 501], { $0.radiusMetres = Int32($1) }),
            ("penalty.amount", [0, 1, 39_999_999, 40_000_000], [-1, 40_000_001], { $0.penalty.amount = Int32($1) }),
            ("rule.graceMs", [0, 3_599_999, 3_600_000], [3_600_001], { $0.rule.graceMs = UInt32($1) }),
        ]
        try await ServerWorld.with(configure: Self.busy) { world in
            try await world.with("Ada") { people async throws in
                // Each has a different time: at most twelve windows may overlap.
                var meetsAt = Self.meetsAt
                for (field, good, bad, change) in fields {
                    for (value, isGood) in good.map({ ($0, true) }) + bad.map({ ($0, false) }) {
                        var request = WireCreatePromise.sample(meetsAt: meetsAt)
                        meetsAt = meetsAt + .hours(4)
                        request.penalty.currency = "EUR"
                        change(&request, value)
                        let error = await people[0].error(.createPromise(request))
                        #expect((error == nil) == isGood, "\(field) = \(value)")
                        if let error { #expect(error.isInvalid(field), "\(field) = \(value)") }
                    }
                }
            }
        }
    }

    @Test(.proves("6.9")) func `a grace is at most the window after the meeting`() async throws {
        let short: @Sendable (inout ServerSettings) -> Void = { $0.window.after = .minutes(10) }
        try await ServerWorld.with(configure: short) { world in
            try await world.with("Ada") { people async throws in
                for (grace, isGood) in [(599_999, true), (600_000, true), (600_001, false)] as [(UInt32, Bool)] {
                    var request = WireCreatePromise.sample(meetsAt: Self.meetsAt)
                    request.rule.graceMs = grace
                    let error = await people[0].error(.createPromise(request))
                    #expect(isGood ? error == nil : error?.isInvalid("rule.graceMs") == true, "\(grace)")
                }
            }
        }
    }

    @Test(.proves("4.2", "promise.too-soon", "promise.too-far")) func `the meeting time of a promise`() async throws {
        // The clock is stopped, so that an instant stays the same.
        try await ServerWorld.with(rate: 0.001, configure: Self.busy) { world in
            try await world.with("Ada") { people async throws in
                let (now, lead) = (world.now, TimeSpan.minutes(30))
                for (meetsAt, code) in [
                    (now + lead - .milliseconds(2_500), ErrorCode.promiseTooSoon),
                    (now + lead - .milliseconds(1_500), nil), (now + lead, nil),
                    (now + .days(366), nil), (now + .days(366) + .milliseconds(500), .promiseTooFar),
                ] {
                    #expect(await people[0].refusal(.createPromise(.sample(meetsAt: meetsAt))) == code)
                }
            }
        }
    }

    @Test(
        .proves("2.1", "signUp"),
        arguments: [
            ("nickname", [2, 20], [1, 21]), ("password", [8, 128], [7, 129]),
        ]
    )
    func `the fields of an account`(field: String, good: [Int], bad: [Int]) async throws {
        try await ServerWorld.with { world in
            try await world.devices { connect in
                for (index, count) in (good + bad).enumerated() {
                    var request = WireSignUp.sample("person\(index)@example.org", "Person\(index)")
                    let text = String(repeating: "ä", count: count - 1) + "\(index)"
                    if field == "nickname" { request.nickname = text } else { request.password = text }
                    let answer = try await connect().call(.signUp(request))
                    if good.contains(count) {
                        try answer.expect(\.session)
                    } else {
                        let error = try answer.expect(\.error)
                        #expect(error.isInvalid(field))
                    }
                }
            }
        }
    }

    @Test(.proves("2.13")) func `avatar, device and boot have 64 characters at most`() async throws {
        try await ServerWorld.with { world in
            try await world.devices { connect in
                let device = try await connect()
                let token = try await device.signUp("Ada").accessToken
                for (count, code) in [(63, nil), (64, nil), (65, ErrorCode.requestInvalid)] {
                    let name = String(repeating: "d", count: count)
                    #expect(try await device.refusal(.updateMe(.sample(avatar: name))) == code)
                    #expect(try await device.refusal(.hello(.sample(token, device: name))) == code)
                    #expect(try await device.refusal(.hello(.sample(token, device: "phone", boot: name))) == code)
                }
                #expect(try await device.refusal(.updateMe(.sample(avatar: ""))) == nil)
            }
        }
    }

    @Test(.proves("10.1", "setStatus")) func `reasons and status have limited lengths`() async throws {
        try await ServerWorld.withShortLead { world in
            try await world.with("Ada", "Bea") { ada, bea async throws in
                let id = try await ada.openPromise(with: [bea], in: world)
                for (count, code) in [(0, nil), (79, nil), (80, nil), (81, ErrorCode.requestInvalid)] {
                    let status = WireSetStatus.with {
                        $0.promiseID = id
                        $0.text = Self.text(count)
                    }
                    #expect(await bea.refusal(.setStatus(status)) == code)
                }
                let england = "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}"
                let texas = "\u{1F3F4}\u{E0075}\u{E0073}\u{E0074}\u{E0078}\u{E007F}"
                let family = ["\u{1F468}", "\u{1F469}", "\u{1F467}", "\u{1F466}"].map { $0 + "\u{1F3FD}" }
                let emojis = [
                    "", "👩🏽‍🚒", england, texas, family.joined(separator: "\u{200D}"), "#\u{FE0F}\u{20E3}",
                    // A sequence without its end is displayed as one flag.
                    String(String.UnicodeScalarView(england.unicodeScalars.dropLast(2))),
                ]
                let notOne = ["🚲🚲", england + england, england + "a", "a" + england].map {
                    ($0, ErrorCode?.some(.requestInvalid))
                }
                for (emoji, code) in emojis.map({ ($0, ErrorCode?.none) }) + notOne {
                    let status = WireSetStatus.with {
                        $0.promiseID = id
                        $0.emoji = emoji
                    }
                    #expect(await bea.refusal(.setStatus(status)) == code)
                }
                for (count, code) in [(0, ErrorCode.requestInvalid), (1, nil), (200, nil), (201, .requestInvalid)] {
                    let excuse = WireExcuse.with {
                        $0.promiseID = id
                        $0.userID = bea.id
                        $0.reason = Self.text(count)
                    }
                    #expect(await ada.refusal(.excuse(excuse)) == code)
                }
                for (count, code) in [(201, ErrorCode.requestInvalid), (200, nil)] {
                    var cancel = WireCancelPromise.of(id)
                    cancel.reason = Self.text(count)
                    #expect(await ada.refusal(.cancelPromise(cancel)) == code)
                }
                await bea.wait { $0.contains { $0.cancelled.reason.count == 200 } }
            }
        }
    }

    @Test(.proves("4.17", "listPromises")) func `a page has the requested size, 50 at most`() async throws {
        try await ServerWorld.with(configure: Self.busy) { world in
            try await world.with("Ada") { people async throws in
                for hour in 1...51 {
                    let at = ServerWorld.start + .hours(Int64(hour + 1))
                    _ = try await people[0].client.createPromise(.sample(meetsAt: at))
                }
                var list = WireListPromises()
                list.list = .upcoming
                for (limit, size) in [(nil, 50), (1, 1), (49, 49), (50, 50), (51, 50)] as [(Int32?, Int)] {
                    list.clearLimit()
                    if let limit { list.limit = limit }
                    let page = try await people[0].reply(.listPromises(list)).expect(\.promises)
                    #expect(page.promises.count == size)
                    #expect(!page.cursor.isEmpty)
                }
                for limit in [0, -1] as [Int32] {
                    list.limit = limit
                    #expect(await people[0].error(.listPromises(list))?.isInvalid("limit") == true)
                }
                list = WireListPromises()
                #expect(await people[0].error(.listPromises(list))?.isInvalid("list") == true)
            }
        }
    }
}

extension WireErrorReply {
    /// `true` if it names this field as invalid.
    fileprivate func isInvalid(_ path: String) -> Bool { code == "request.invalid" && field == path && retry == .never }
}
