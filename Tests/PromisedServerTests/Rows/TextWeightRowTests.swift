import Foundation
import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import PromisedTestSupport
import PromisedTransport
import PromisedWire
import SwiftProtobuf
import Testing

@testable import PromisedSettings

/// The cost of a text depends only on its length (domain §10).
@Suite("Weight of texts over a connection", .tags(.alone), .serialized, .timeLimit(.minutes(5)))
struct TextWeightRowTests {
    private typealias Configuration = ServerSettings

    private static let patient: @Sendable (inout Configuration) -> Void = { configuration in
        configuration.limits.requestBurst = 100_000
        configuration.limits.requestRate = 100_000
        configuration.limits.requestsBeforeSignIn = 100_000
        configuration.throttle.wrongCodes = 100_000
        configuration.throttle.find = 100_000
    }

    /// Marks of `bytes` bytes that a normal form must put in another order.
    private static func marks(_ bytes: Int) -> String {
        "a" + String(repeating: "\u{345}", count: bytes / 4) + String(repeating: "\u{334}", count: bytes / 4)
    }

    // MARK: - Every text of every request

    @Test(.proves("10.4"), .defends("costly-texts"), arguments: WireCodec.allCases)
    func `rejects any text of a user as fast with many marks as without`(codec: WireCodec) async throws {
        try await ServerWorld.withShortLead(codec: codec, configure: Self.patient) { world in
            try await world.with("Ada", "Bea") { people async throws in
                let promise = try await people[0].openPromise(with: [people[1]], in: world)
                let forms = TextForms(promise: promise, user: people[1].id, meetsAt: world.now + .hours(2))
                try await world.devices { connect in
                    let device = try await connect()
                    try await people[0].signIn(on: device)
                    for path in try TextForms.paths where !path.hasPrefix("admin.") {
                        let isLarge = try forms.isLarge(path)
                        try await Self.compare(forms, path, isLarge ? 60_000 : 15_000, over: device)
                        guard !isLarge else { continue }
                        let tooLarge = try await device.answer(forms.frame(path, Self.marks(60_000), codec))
                        #expect(tooLarge == "request.too-large", "\(path)")
                    }
                }
            }
        }
    }

    @Test(.proves("10.4"), arguments: WireCodec.allCases)
    func `rejects any text of an administrator as fast with many marks as without`(
        codec: WireCodec
    ) async throws {
        try await ServerWorld.withShortLead(codec: codec, configure: Self.patient) { world in
            try await world.with("Ada", "Bea") { people async throws in
                let promise = try await people[0].openPromise(with: [people[1]], in: world)
                let forms = TextForms(promise: promise, user: people[1].id, meetsAt: world.now + .hours(2))
                try await world.administered { admin, _ async throws in
                    for path in try TextForms.paths where path.hasPrefix("admin.") {
                        try await Self.compare(forms, path, 60_000, over: admin)
                    }
                }
            }
        }
    }

    @Test(.proves("10.4"), arguments: WireCodec.allCases)
    func `rejects any text before a sign-in as fast with many marks as without`(
        codec: WireCodec
    ) async throws {
        let requests: Set = ["hello", "signUp", "signIn", "refresh", "watchByLink", "exchangeCode"]
        try await ServerWorld.with(codec: codec, configure: Self.patient) { world in
            let forms = TextForms(promise: "-", user: "-", meetsAt: world.now + .hours(2))
            try await world.devices { connect in
                let device = try await connect()
                for path in try TextForms.paths where requests.contains(TextForms.request(of: path)) {
                    try await Self.compare(forms, path, 3_800, over: device, isSignedIn: false)
                }
            }
        }
    }

    /// Sends a request with marks in a text and with letters in their place, and compares the answers and durations.
    private static func compare(
        _ forms: TextForms,
        _ path: String,
        _ bytes: Int,
        over device: Device,
        isSignedIn: Bool = true
    ) async throws {
        let text = marks(bytes)
        let heavy = try forms.frame(path, text, device.codec)
        let light = try forms.frame(path, String(repeating: "a", count: text.utf8.count), device.codec)
        #expect(heavy.count == light.count)
        var times: (slow: Duration, fast: Duration)?
        // Sorting 3,800 bytes takes 7 ms and more, 15,000 take 70, 60,000 more than a second. In a debug build any
        // 60,000 bytes take 20 ms, because SwiftProtobuf reads each through unspecialized generics; so there are
        // further tries only where others use the machine, too.
        var isAsFast: Bool { times.map { $0.slow < $0.fast * 2 + .milliseconds(4) } ?? false }
        for _ in 1...4 where !isAsFast {
            let begun = ContinuousClock.now
            let code = try await device.answer(light)
            let between = ContinuousClock.now
            #expect(try await device.answer(heavy) == forms.refusal(of: path, isSignedIn: isSignedIn), "\(path)")
            #expect(code == forms.refusal(of: path, isSignedIn: isSignedIn), "\(path)")
            let (slow, fast) = (ContinuousClock.now - between, between - begun)
            times = (min(slow, times?.slow ?? slow), min(fast, times?.fast ?? fast))
        }
        #expect(isAsFast, "\(path): \(times as Any)")
    }

    // MARK: - Limits

    @Test(.proves("10.4")) func `limits texts for lookups to 1 KiB, passwords to 2`() async throws {
        try await ServerWorld.withShortLead(configure: Self.patient) { world in
            try await world.with("Ada") { people async throws in
                let promise = try await people[0].openPromise(with: [], in: world)
                try await world.devices { connect in
                    let device = try await connect()
                    for (size, code) in [
                        (-1, ErrorCode.authInvalidCredentials), (0, .authInvalidCredentials), (1, .requestInvalid),
                    ] {
                        let email = String(repeating: "é", count: 500) + String(repeating: "e", count: 24 + size)
                        #expect(email.utf8.count == 1_024 + size)
                        #expect(try await device.refusal(.signIn(.sample(email, "password"))) == code)
                        let password = String(repeating: "p", count: 2_048 + size)
                        #expect(try await device.refusal(.signIn(.sample(people[0].email, password))) == code)
                    }
                    try await people[0].signIn(on: device)
                    for (size, code) in [(-1, nil), (0, nil), (1, ErrorCode.requestInvalid)] {
                        let subscribe = WireSubscribe.with {
                            $0.promiseID = promise
                            $0.epoch = String(repeating: "e", count: 1_024 + size)
                        }
                        #expect(try await device.refusal(.subscribe(subscribe)) == code)
                        let password = String(repeating: "p", count: 2_048 + size)
                        let delete = WireDeleteAccount.with { $0.password = password }
                        #expect(try await device.refusal(.deleteAccount(delete)) == code ?? .authInvalidCredentials)
                        let change = WireRequest.changePassword(.sample(password, "correct horse battery"))
                        #expect(try await device.refusal(change) == code ?? .authInvalidCredentials)
                    }
                }
                try await world.administered { admin, _ async throws in
                    for (size, code) in [(-1, nil), (0, nil), (1, "request.invalid")] {
                        var (find, list) = (WireAdminFindUsers(), WireAdminListUsers())
                        find.name = String(repeating: "n", count: 1_024 + size)
                        list.text = find.name
                        #expect(try await admin.adminRefusal(.findUsers(find))?.code == code)
                        #expect(try await admin.adminRefusal(.listUsers(list))?.code == code)
                    }
                }
            }
        }
    }

    @Test(.proves("10.4")) func `checks the throttle before the text`() async throws {
        let few: @Sendable (inout Configuration) -> Void = { configuration in
            configuration.listen.trustedProxies = [AddressRange("127.0.0.1")].compactMap(\.self)
            configuration.throttle.signInsPerAddress = 1
            configuration.throttle.signUps = 1
            configuration.throttle.find = 1
        }
        try await ServerWorld.with(configure: few) { world in
            try await world.devices { connect in
                let device = try await connect(forwardedFor: "203.0.113.7")
                let overloaded = "a" + String(repeating: "\u{345}", count: 33) + "@example.org"
                #expect(try await device.refusal(.signIn(.sample(overloaded, "password"))) == .requestInvalid)
                let wrong = WireRequest.signIn(.sample("nobody@example.org", "password"))
                #expect(try await device.refusal(wrong) == .authInvalidCredentials)
                #expect(try await device.refusal(.signIn(.sample(overloaded, "password"))) == .limitAttempts)

                #expect(try await device.refusal(.signUp(.sample(overloaded, "Ada"))) == .requestInvalid)
                // A request that is refused for its texts does not count.
                _ = try await device.signUp("Ada")
                let other = try await connect(forwardedFor: "203.0.113.7")
                #expect(try await other.refusal(.signUp(.sample(overloaded, "Bea"))) == .limitAttempts)

                #expect(try await device.refusal(.updateMe(.sample(nickname: "A d a"))) == .requestInvalid)
                #expect(try await device.refusal(.updateMe(.sample(nickname: "A d a"))) == .limitAttempts)
            }
        }
    }

    @Test(.proves("10.4")) func `rejects a path that is not ASCII`() async throws {
        try await ServerWorld.with { world async throws in
            let marks = String(repeating: "%CD%85", count: 150) + String(repeating: "%CC%B4", count: 150)
            for path in ["/\(marks)", "/healthz\(marks)", "/assets/\(marks)"] {
                #expect(try await world.plainStatus(path) == 404)
            }
        }
    }
}

// MARK: - Requests with one text of our choice

/// Every recorded request with texts, with values valid in a world, and any one text replaced.
private struct TextForms {
    private static let mark = "@@TEXT@@"

    let promise: String
    let user: String
    let meetsAt: Instant

    /// The paths of all texts, such as `createPromise.place.name` and `createPromise.inviteeIds[]`.
    static var paths: [String] {
        get throws {
            try WireRecording.text("request-texts.txt").split(separator: "\n").map(String.init)
        }
    }

    /// The request that a path begins with.
    static func request(of path: String) -> String { String(path.prefix { $0 != "." }) }

    /// `true` if the request declares the largest frame.
    func isLarge(_ path: String) throws -> Bool {
        let frame = Array(try JSONSerialization.data(withJSONObject: object(path)))
        return try #require(try WireCodec.json.decodeClientFrame(frame).request).largestFrame > 60_000
    }

    /// The reply to a text that is too long.
    func refusal(of path: String, isSignedIn: Bool) -> String? {
        let names = path.split(separator: ".").map(String.init)
        let (request, name) = (names[0], names[names.count - 1])
        if request == "hello", names[1] == "client" { return isSignedIn ? nil : "auth.required" }
        if isSignedIn, ["signUp", "watchByLink", "exchangeCode"].contains(request) { return "auth.forbidden" }
        if name == "code" { return "code.invalid" }
        // The recorded import is unknown; its rows are checked one by one.
        if path.hasPrefix("admin.putPlaces.rows[]") { return "place.not-found" }
        // Of a way-point's place only the position counts.
        if path.hasSuffix(".waypoints[].place.name") { return "course.not-found" }
        // Of a companion only the id counts.
        if path.contains(".companions[].user."), name != "userId" {
            return request == "createVisit" ? "place.not-found" : "visit.not-found"
        }
        if name == "token" || name == "refreshToken" { return "auth.token-invalid" }
        if name == "nickname", ["findUser", "requestFriend"].contains(request) { return "user.not-found" }
        return "request.invalid"
    }

    /// A frame with a text at a path.
    func frame(_ path: String, _ text: String, _ codec: WireCodec) throws -> [UInt8] {
        let base = try JSONSerialization.data(withJSONObject: object(path))
        let parts = String(decoding: base, as: UTF8.self).components(separatedBy: Self.mark)
        try #require(parts.count == 2, "\(path)")
        let json = Array(parts[0].utf8) + Array(text.utf8) + Array(parts[1].utf8)
        return codec == .json ? json : try codec.encode(try WireCodec.json.decodeClientFrame(json))
    }

    private func object(_ path: String) throws -> [String: Any] {
        let names = path.split(separator: ".").map(String.init)
        let folder = names[0] == "admin" ? "admin-forms/\(names[1])" : "requests/\(names[0])"
        let recorded = Data(try WireRecording.text("\(folder).json").utf8)
        var object = try #require(try JSONSerialization.jsonObject(with: recorded) as? [String: Any])
        object["id"] = 1
        object = try #require(good(object) as? [String: Any])
        // Only one of the two ways to name a user is accepted.
        if path == "requestFriend.nickname" { object["requestFriend"] = ["nickname": ""] }
        // A signed-in device needs no token in `hello`, and a valid one is not available.
        if names[0] == "hello", path != "hello.token", var hello = object["hello"] as? [String: Any] {
            hello["token"] = nil
            object["hello"] = hello
        }
        for other in DocumentedRange.fieldsInTheWay(of: path) {
            object = Self.removing(other.split(separator: ".").map(String.init)[...], from: object)
        }
        return Self.set(names[...], in: object)
    }

    /// A recorded value with ids and times of the world in it.
    private func good(_ value: Any, of name: String = "") -> Any {
        switch (name, value) {
        case ("promiseId", _): return promise
        case ("userId", _), ("otherId", _), ("ownerId", _), ("inviteeIds", is String), ("invite", is String):
            return user
        case ("remove", is [Any]): return [Any]()
        case ("meetsAt", _): return meetsAt.rfc3339
        case (_, let object as [String: Any]):
            return Dictionary(uniqueKeysWithValues: object.map { ($0.key, good($0.value, of: $0.key)) })
        case (_, let list as [Any]): return list.map { good($0, of: name) }
        default: return value
        }
    }

    private static func removing(_ path: ArraySlice<String>, from object: [String: Any]) -> [String: Any] {
        guard let name = path.first else { return object }
        var object = object
        let inner = object[name] as? [String: Any]
        object[name] = path.count == 1 ? nil : inner.map { removing(path.dropFirst(), from: $0) }
        return object
    }

    private static func set(_ path: ArraySlice<String>, in object: [String: Any]) -> [String: Any] {
        guard let first = path.first else { return object }
        var object = object
        let (name, isList) = (first.replacing("[]", with: ""), first.hasSuffix("[]"))
        if path.count == 1 {
            object[name] = isList ? [mark] : mark
        } else if isList {
            object[name] = [set(path.dropFirst(), in: (object[name] as? [[String: Any]])?.first ?? [:])]
        } else {
            object[name] = set(path.dropFirst(), in: object[name] as? [String: Any] ?? [:])
        }
        return object
    }
}

extension Device {
    /// The code of a frame's refusal; nil if it is accepted.
    fileprivate func answer(_ bytes: [UInt8]) async throws -> String? {
        let reply = try frame(try await exchange(bytes))
        guard case .error(let error) = reply.content else { return nil }
        return error.code
    }
}

extension ServerWorld {
    /// The status of the response to a plain request for a path.
    fileprivate func plainStatus(_ path: String) async throws -> Int? {
        let peer = try RawPeer(listening)
        await peer.write("GET \(path) HTTP/1.1\r\nHost: \(address.host)\r\n\r\n")
        let answer = String(decoding: await peer.readToEnd(), as: UTF8.self)
        return Int(answer.dropFirst("HTTP/1.1 ".count).prefix(3))
    }
}
