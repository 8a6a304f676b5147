import Foundation
import PromisedApplication
import PromisedClient
import PromisedDomain
import PromisedPlaces
import PromisedProtocol
import PromisedTestMarks
import PromisedTestSupport
import SwiftProtobuf
import Testing

@testable import PromisedServer
@testable import PromisedSettings

/// `/j/CODE`, and the files by which apps open it.
@Suite(.tags(.realTime), .timeLimit(.minutes(2)))
struct InviteLinkTests {
    private static let meetsAt = ServerWorld.start + .hours(20)
    private static let base: @Sendable (inout ServerSettings) -> Void = { $0.links.base = "https://meet.example" }

    private static func get(_ path: String, _ world: ServerWorld, _ method: String = "GET") async throws -> String {
        let peer = try RawPeer(world.listening)
        await peer.write("\(method) \(path) HTTP/1.1\r\nHost: \(world.address.host)\r\n\r\n")
        return String(decoding: await peer.readToEnd(), as: UTF8.self)
    }

    @Test(.proves("/j/CODE")) func `an invite link shows as much as the owner allows, and joins nobody`() async throws {
        try await ServerWorld.with(configure: Self.base) { world in
            try await world.with("Ada", "Bea") { ada, _ in
                let promise = try await ada.promise(with: [], at: Self.meetsAt)
                let code = try await ada.invite(to: promise.promiseID).code
                #expect(promise.preview == .time)
                let link = #"content="https://meet.example/j/\#(code)""#
                let (title, place) = (promise.title, promise.place.name)
                var version = promise.version
                for (preview, shown, hidden) in [
                    (WirePromisePreview.Value.time, [title, "Meeting time: "], [place, "Ada"]),
                    (.place, [title, "Meeting time: ", place], ["Ada", "\(promise.place.latitude)"]),
                    (.title, [title], ["Meeting time: ", place]),
                    (.none, [], [title, "Meeting time: ", place, "You are invited"]),
                ] {
                    let request = WireUpdatePromise.with {
                        $0.promiseID = promise.promiseID
                        $0.version = version
                        $0.preview = preview
                    }
                    #expect(await ada.refusal(.updatePromise(request)) == nil)
                    version = try await ada.see(promise.promiseID).version
                    let answer = try await Self.get("/j/\(code)", world)
                    #expect(answer.hasPrefix("HTTP/1.1 200 "))
                    #expect(answer.contains(link))
                    for text in shown { #expect(answer.contains(text), "\(preview)") }
                    for text in hidden { #expect(!answer.contains(text), "\(preview)") }
                }
                let after = try await ada.see(promise.promiseID)
                #expect(after.participantCount == 1)
            }
        }
    }

    @Test(.proves("/j/CODE")) func `wrong codes get the same page and count`() async throws {
        try await ServerWorld.with(configure: Self.base) { world in
            try await world.with("Ada") { people in
                let promise = try await people[0].promise(with: [], at: Self.meetsAt)
                let code = try await people[0].invite(to: promise.promiseID).code
                let neutral = try await Self.get("/j/0000000000", world)
                #expect(neutral.hasPrefix("HTTP/1.1 200 "))
                #expect(neutral.contains("noindex"))
                #expect(!neutral.contains("og:description"))
                let short = try await Self.get("/j/short", world).body
                #expect(short == neutral.body.replacing("0000000000", with: "short"))
                let head = try await Self.get("/j/\(code)", world, "HEAD")
                #expect(head.contains("\r\nX-Robots-Tag: noindex\r\n"))
                #expect(head.contains("\r\nCache-Control: no-store\r\n"))
                #expect(head.body.isEmpty)
                let revoke = WireRevokeInvite.with { $0.promiseID = promise.promiseID }
                #expect(await people[0].refusal(.revokeInvite(revoke)) == nil)
                let revoked = try await Self.get("/j/\(code)", world).body
                #expect(revoked == neutral.body.replacing("0000000000", with: code))
            }
            for path in ["/j/", "/j/a/b", "/j/a_b", "/j/" + String(repeating: "a", count: 41), "/j/%F0%9F%98%80"] {
                let answer = try await Self.get(path, world)
                #expect(answer.hasPrefix("HTTP/1.1 404 "), "\(path)")
            }
        }
    }

    @Test func `without a public origin, an invite link opens the page without a preview`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people in
                let promise = try await people[0].promise(with: [], at: Self.meetsAt)
                let code = try await people[0].invite(to: promise.promiseID).code
                let answer = try await Self.get("/j/\(code)", world)
                #expect(answer.contains("/assets/main.js"))
                #expect(answer.contains("noindex"))
                #expect(!answer.contains(promise.title))
            }
        }
    }

    @Test(.defends("script-injection")) func `a title cannot leave its attribute`() {
        let text = "만나는 시간: 2026년 11월 21일 (토) 18:00 (UTC+9)"
        for mark in ["\u{301}", "\u{200D}", "\u{FE0F}"] {
            let preview = InvitePreview(language: .english, title: "0\"\(mark) http-equiv=refresh x", text: "")
            let document = InviteHead(preview, link: "https://meet.example/j/A").added(to: InviteHead.plainPage)
            #expect(document.contains("0&quot;\(mark)"))
        }
        let preview = InvitePreview(language: .korean, title: "\"><script>&", text: text)
        let document = InviteHead(preview, link: "https://meet.example/j/A").added(to: InviteHead.plainPage)
        #expect(document.contains(#"content="&quot;&gt;&lt;script&gt;&amp;""#))
        #expect(!document.contains("<script>"))
        #expect(document.contains("약속에 초대합니다.&#10;만나는 시간"))
        #expect(document.contains(#"content="ko_KR""#))
    }

    @Test(.proves("/.well-known/")) func `apps find the files by which they open links`() async throws {
        let fingerprint = Array(repeating: "ab", count: 32).joined(separator: ":")
        let apps: @Sendable (inout ServerSettings) -> Void = {
            $0.links.appleApps = ["A1B2C3D4E5.example.meet"]
            $0.links.androidApps = ["example.meet/" + fingerprint]
        }
        let paths = ["/.well-known/apple-app-site-association", "/.well-known/assetlinks.json"]
        try await ServerWorld.with(configure: apps) { world in
            let answers = [try await Self.get(paths[0], world), try await Self.get(paths[1], world)]
            for answer in answers { #expect(answer.contains("\r\nContent-Type: application/json\r\n")) }
            #expect(
                answers[0].body
                    == #"{"applinks":{"details":[{"appIDs":["A1B2C3D4E5.example.meet"],"components":[{"/":"/j/*"}]}]}}"#
            )
            #expect(answers[1].body.contains(#""package_name":"example.meet""#))
            #expect(answers[1].body.contains(#""sha256_cert_fingerprints":["\#(fingerprint.uppercased())"]"#))
        }
        try await ServerWorld.with { world in
            for path in paths {
                let answer = try await Self.get(path, world)
                #expect(answer.hasPrefix("HTTP/1.1 404 "))
            }
        }
    }
}

extension String {
    /// The part of a reply after its head.
    fileprivate var body: String { firstRange(of: "\r\n\r\n").map { String(self[$0.upperBound...]) } ?? "" }
}
