import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import PromisedTransport
import PromisedWire
import SwiftProtobuf
import Testing

@testable import PromisedSettings

/// The replies to a frame, for any request (docs/protocol.md#connecting, #frames).
@Suite("Frames over a connection", .timeLimit(.minutes(2)))
struct FrameRowTests {
    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// A request that every server answers, in a JSON frame of exactly `size` bytes.
    private static func padded(_ request: String, to size: Int) -> [UInt8] {
        let frame = Array(request.utf8)
        return frame + [UInt8](repeating: UInt8(ascii: " "), count: size - frame.count)
    }

    @Test(.proves("10.2", "request.unknown"))
    func `answers an unknown request with its id, before and after the sign-in`() async throws {
        try await ServerWorld.with { world in
            try await world.devices { connect in
                let device = try await connect()
                let before = Self.text(try await device.exchange(Array(#"{"id":9,"dance":{"steps":3}}"#.utf8)))
                #expect(before.contains(#""id":9"#) && before.contains(#""code":"auth.required""#))
                _ = try await device.signUp("Ada")
                let after = Self.text(try await device.exchange(Array(#"{"id":4294967295,"dance":{}}"#.utf8)))
                #expect(after.contains(#""id":4294967295"#) && after.contains(#""code":"request.unknown""#))
                // Without an id there is no reply, but an error is sent, also without an id.
                let silent = Self.text(try await device.exchange(Array(#"{"dance":{}}"#.utf8)))
                #expect(!silent.contains(#""id""#) && silent.contains(#""code":"request.unknown""#))
                let empty = Self.text(try await device.exchange(Array("{}".utf8)))
                #expect(empty.contains(#""code":"request.unknown""#))
            }
        }
    }

    @Test(.proves("4502"))
    func `the close reason names the field of a wrong type, only in JSON`() async throws {
        let text = Array(#"{"id":1,"createPromise":{"title":7}}"#.utf8)
        let frames: [(WireCodec, [UInt8], String)] = [
            (.json, text, ": createPromise.title"), (.protobuf, [0xFF, 0xFF], "."),
        ]
        for (codec, frame, end) in frames {
            try await ServerWorld.with(codec: codec) { world in
                try await world.devices { connect in
                    let device = try await connect()
                    _ = try await device.signUp("Ada")
                    device.send(frame)
                    let text = CloseCode.malformedFrame.sentence.dropLast() + end
                    let cause = CloseCause.byPeer(code: CloseCode.malformedFrame.rawValue, text: String(text))
                    #expect(try await device.closeCause() == cause)
                }
            }
        }
    }

    @Test(.proves("10.2")) func `ignores unknown fields, beside a request and inside it`() async throws {
        try await ServerWorld.with { world in
            try await world.devices { connect in
                let device = try await connect()
                _ = try await device.signUp("Ada")
                let frame = #"{"id":2,"colour":"red","syncClock":{"uptimeMs":5,"mood":"good"}}"#
                #expect(Self.text(try await device.exchange(Array(frame.utf8))).contains(#""uptimeMs":5"#))
            }
        }
    }

    @Test(.proves("10.2"), arguments: WireCodec.allCases)
    func `rejects and names an unknown field on a strict connection, beside a request and inside it`(
        codec: WireCodec
    ) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.devices { connect in
                let device = try await connect()
                let session = try await device.signUp("Ada")
                let subscribe = WireSubscribe.with { $0.promiseID = session.user.userID }
                let odd = try Self.odd(.subscribe(subscribe), codec)
                // Before it requests strictness, the field is ignored.
                #expect(try await Self.error(odd.bytes, on: device).code == "promise.not-found")
                var hello = WireHello.sample(session.accessToken)
                hello.strict = true
                let oddHello = try await Self.error(try Self.odd(.hello(hello), codec).bytes, on: device)
                #expect(oddHello.code == "request.invalid")
                #expect(try await device.refusal(.hello(hello)) == nil)
                let error = try await Self.error(odd.bytes, on: device)
                #expect(error.code == "request.invalid" && error.retry == .never)
                #expect(error.field == odd.path)
                #expect(error.message.contains(odd.path))
                // Known fields are accepted, also in a report, and the connection stays open.
                #expect(try await device.refusal(.subscribe(subscribe)) == .promiseNotFound)
                let report = WireReport.with {
                    $0.promiseID = session.user.userID
                    $0.fixes = [WireFix.with { $0.seq = 1 }]
                }
                #expect(try await device.refusal(.report(report)) == .promiseNotFound)
                let oddReport = try Self.odd(.report(report), codec)
                #expect(try await Self.error(oddReport.bytes, on: device).field == oddReport.path)
                // A later hello does not end it.
                hello.strict = false
                #expect(try await device.refusal(.hello(hello)) == nil)
                #expect(try await Self.error(odd.bytes, on: device).code == "request.invalid")
            }
        }
    }

    @Test(.proves("10.2"))
    func `reports an unknown request as unknown on a strict connection, and others are not strict`()
        async throws
    {
        try await ServerWorld.with { world in
            try await world.devices { connect in
                let (device, other) = (try await connect(), try await connect())
                let session = try await device.signUp("Ada")
                var hello = WireHello.sample(session.accessToken)
                #expect(try await other.refusal(.hello(hello)) == nil)
                hello.strict = true
                #expect(try await device.refusal(.hello(hello)) == nil)
                let dance = try await Self.error(Array(#"{"id":1,"dance":{"steps":3}}"#.utf8), on: device)
                #expect(dance.code == "request.unknown")
                let list = Array(#"{"id":1,"listPromises":{"list":"UPCOMMING"}}"#.utf8)
                #expect(try await Self.error(list, on: device).field == "listPromises.list")
                let beside = Array(#"{"id":1,"getMe":{},"colour":"red"}"#.utf8)
                #expect(try await Self.error(beside, on: device).field == "colour")
                #expect(!Self.text(try await other.exchange(beside)).contains("error"))
            }
        }
    }

    /// A request with an unknown field, and its path in the refusal.
    private static func odd(_ request: WireRequest, _ codec: WireCodec) throws -> (bytes: [UInt8], path: String) {
        let name = RequestKind(request).rawValue
        switch codec {
        case .json:
            let text = text(try codec.encode(WireClientFrame(id: 1, request: request)))
            let end = text.lastIndex(of: "}").map { text.index(before: $0) } ?? text.startIndex
            return (Array((text[..<end] + #","mood":5}}"#).utf8), "\(name).mood")
        case .protobuf:
            // The frame's last field is the request; its length has one byte up to 127, else two.
            let whole = try codec.encode(WireClientFrame(id: 1, request: request))
            let extra = [0x98, 0x06, 0x05] as [UInt8]
            return (try Self.extend(whole, by: extra), "\(name).99")
        }
    }

    /// Appends bytes to the message in a frame's last field, which begins behind the frame's id.
    private static func extend(_ frame: [UInt8], by extra: [UInt8]) throws -> [UInt8] {
        var start = 2
        while frame[start] & 0x80 != 0 { start += 1 }
        start += 1
        var (length, shift, end) = (0, 0, start)
        repeat {
            length |= Int(frame[end] & 0x7F) << shift
            shift += 7
            end += 1
        } while frame[end - 1] & 0x80 != 0
        length += extra.count
        var size: [UInt8] = []
        while length > 0x7F {
            size.append(UInt8(length & 0x7F) | 0x80)
            length >>= 7
        }
        return frame[..<start] + size + [UInt8(length)] + frame[end...] + extra
    }

    private static func error(_ frame: [UInt8], on device: Device) async throws -> WireErrorReply {
        guard case .error(let error) = try device.frame(try await device.exchange(frame)).content else {
            throw Device.NoReply()
        }
        return error
    }

    @Test func `sends replies in the order of the requests, none without an id`() async throws {
        try await ServerWorld.with { world in
            try await world.devices { connect in
                let device = try await connect()
                _ = try await device.signUp("Ada")
                for id in [7, 0, 3, 0, 5] as [UInt32] { try device.send(.getMe(WireGetMe()), id: id) }
                for id in [7, 3, 5] {
                    #expect(Self.text(try await device.nextReply()).contains(#""id":\#(id)"#))
                }
                let last = Self.text(try await device.exchange(Array(#"{"id":8,"getMe":{}}"#.utf8)))
                #expect(last.contains(#""id":8"#))
            }
        }
    }

    @Test(.proves("request.too-large"), arguments: WireCodec.allCases)
    func `limits a frame with a request to 16 KiB, or 64 for larger ones`(
        codec: WireCodec
    ) async throws {
        let requests: [(largest: Int, code: String, request: @Sendable (String) -> WireRequest)] = [
            (16_384, "request.invalid", { .setStatus(.with(text: $0)) }),
            (65_536, "request.invalid", { .updatePromise(.with(title: $0)) }),
            (65_536, "request.invalid", { .report(.with(promiseID: $0)) }),
            (65_536, "auth.forbidden", { .admin(.with(name: $0)) }),
        ]
        try await ServerWorld.with(codec: codec) { world in
            try await world.devices { connect in
                let device = try await connect()
                _ = try await device.signUp("Ada")
                for (largest, refusal, request) in requests {
                    let near = largest - 64
                    let envelope =
                        try codec.encode(WireClientFrame(id: 9, request: request(Self.blank(near)))).count - near
                    for (size, code) in [(-1, refusal), (0, refusal), (1, "request.too-large")] {
                        let text = Self.blank(largest + size - envelope)
                        let frame = try codec.encode(WireClientFrame(id: 9, request: request(text)))
                        #expect(frame.count == largest + size)
                        guard frame.count <= 65_536 else { continue }
                        let answer = try device.frame(try await device.exchange(frame))
                        #expect(answer.id == 9)
                        #expect(answer.error.code == code, "\(frame.count)")
                    }
                }
                // The request is not oversized, and the connection stays open.
                #expect(try await device.refusal(.getMe(WireGetMe())) == nil)
            }
        }
    }

    private static func blank(_ count: Int) -> String { String(repeating: " ", count: count) }

    @Test(arguments: ["report", "admin"])
    func `a frame of 64 KiB and a byte ends the connection for any request`(request: String) async throws {
        try await ServerWorld.with { world in
            try await world.devices { connect in
                let device = try await connect()
                _ = try await device.signUp("Ada")
                let frame = #"{"id":1,"\#(request)":{}}"#
                for size in [65_535, 65_536] {
                    let answer = Self.text(try await device.exchange(Self.padded(frame, to: size)))
                    #expect(answer.contains(#""id":1"#) && !answer.contains("request.too-large"))
                }
                device.send(Self.padded(frame, to: 65_537))
                #expect(try await device.closed() == 1_009)
            }
        }
    }

    @Test func `limits a frame to 4 KiB before the sign-in and to 64 KiB after it`() async throws {
        try await ServerWorld.with { world in
            try await world.devices { connect in
                let early = try await connect()
                let hello = #"{"id":1,"getMe":{}}"#
                #expect(Self.text(try await early.exchange(Self.padded(hello, to: 4_095))).contains("auth.required"))
                #expect(Self.text(try await early.exchange(Self.padded(hello, to: 4_096))).contains("auth.required"))
                early.send(Self.padded(hello, to: 4_097))
                #expect(try await early.closed() == 1_009)

                let device = try await connect()
                _ = try await device.signUp("Ada")
                for size in [16_383, 16_384] {
                    #expect(Self.text(try await device.exchange(Self.padded(hello, to: size))).contains(#""me""#))
                }
                let create = #"{"id":1,"createPromise":{}}"#
                for size in [65_535, 65_536] {
                    let answer = Self.text(try await device.exchange(Self.padded(create, to: size)))
                    #expect(answer.contains("request.invalid"))
                }
                device.send(Self.padded(create, to: 65_537))
                #expect(try await device.closed() == 1_009)
            }
        }
    }

    @Test(.proves("4.17", "10.7")) func `ends a page early at the size of a frame`() async throws {
        let limit = 16 << 10
        let small: @Sendable (inout ServerSettings) -> Void = { $0.limits.sentFrame = limit }
        try await ServerWorld.with(configure: small) { world in
            try await world.devices { connect in
                let device = try await connect()
                _ = try await device.signUp("Ada")
                for hour in 1...20 {
                    var request = WireCreatePromise.sample(meetsAt: ServerWorld.start + .hours(Int64(hour + 1)))
                    request.title = "\(hour)"
                    request.note = String(repeating: "é", count: 500)
                    try await device.call(.createPromise(request)).expect(\.promise)
                }
                let (titles, sizes) = try await Self.pages(of: device)
                #expect(titles == (1...20).map { "\($0)" })
                #expect(sizes.count > 1)
                #expect(sizes.allSatisfy { $0 <= limit })
            }
        }
    }

    /// The titles of all upcoming promises, and the size of each page's frame.
    private static func pages(of device: Device) async throws -> (titles: [String], sizes: [Int]) {
        var (titles, sizes): ([String], [Int]) = ([], [])
        var list = WireListPromises()
        list.list = .upcoming
        repeat {
            let request = try WireCodec.json.encode(WireClientFrame(id: 1, request: .listPromises(list)))
            let bytes = try await device.exchange(request)
            guard case .promises(let page) = try WireCodec.json.decodeServerFrame(bytes).content else {
                throw Device.NoReply()
            }
            sizes.append(bytes.count)
            titles += page.promises.map(\.title)
            list.cursor = page.cursor
        } while !list.cursor.isEmpty
        return (titles, sizes)
    }

    // MARK: - Clocks

    @Test(.proves("syncClock"), arguments: WireCodec.allCases)
    func `a sync returns the phone's readings between the server's`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada") { people async throws in
                let ada = people[0]
                var sync = WireSyncClock()
                sync.uptimeMs = 12_345.5
                sync.clientTimeMs = 0
                let before = world.now
                let clock = try await ada.client.syncClock(sync)
                let received = try Instant(wire: clock.receivedAt, field: "receivedAt")
                let sent = try Instant(wire: clock.sentAt, field: "sentAt")
                #expect(clock.uptimeMs == 12_345.5)
                #expect(clock.hasClientTimeMs && clock.clientTimeMs == 0)
                #expect(before <= received && received <= sent && sent <= world.now)
                #expect(try await !ada.client.syncClock().hasUptimeMs)
                for reading in [Double.nan, .infinity, -.infinity] {
                    sync.uptimeMs = reading
                    #expect(await ada.refusal(.syncClock(sync)) == .requestInvalid)
                }
            }
        }
    }

    // MARK: - Signing in by header

    @Test(.proves("hello")) func `signs in with the upgrade's token and a hello without one`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people async throws in
                let token = try #require(await people[0].client.currentSession).accessToken
                try await world.devices { connect in
                    let bare = try await connect()
                    #expect(try await bare.refusal(.hello(WireHello())) == .authRequired)
                    let device = try await connect(upgradeToken: token)
                    // It is not a sign-in.
                    #expect(try await device.refusal(.getMe(WireGetMe())) == .authRequired)
                    let welcome = try await device.call(.hello(WireHello())).expect(\.welcome)
                    #expect(welcome.user.nickname == "Ada")
                    let wrong = try await connect(upgradeToken: "rubbish")
                    #expect(try await wrong.refusal(.hello(WireHello())) == .authTokenInvalid)
                }
            }
        }
    }
}

extension WireSetStatus {
    /// A text for an unknown promise.
    fileprivate static func with(text: String) -> WireSetStatus {
        var status = WireSetStatus()
        (status.promiseID, status.text) = ("-", text)
        return status
    }
}

extension WireUpdatePromise {
    /// A title for an unknown promise.
    fileprivate static func with(title: String) -> WireUpdatePromise {
        var update = WireUpdatePromise()
        (update.promiseID, update.title) = ("-", title)
        return update
    }
}

extension WireReport {
    /// A report to an unknown promise.
    fileprivate static func with(promiseID: String) -> WireReport {
        var report = WireReport.one(promiseID)
        report.uptimeMs = 0
        return report
    }
}

extension WireAdminRequest {
    /// A search for a name.
    fileprivate static func with(name: String) -> WireAdminRequest {
        var (admin, find) = (WireAdminRequest(), WireAdminFindUsers())
        find.name = name
        admin.request = .findUsers(find)
        return admin
    }
}
