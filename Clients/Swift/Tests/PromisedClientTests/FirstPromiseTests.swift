import Foundation
import PromisedClient
import PromisedProtocol
import SwiftProtobuf
import Testing

@Suite(.timeLimit(.minutes(1))) struct FirstPromiseTests {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let articles = tests.deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/PromisedClient/PromisedClient.docc")

    @Test(arguments: [("FirstPromise", 7), ("ShowingPlaces", 3), ("RecordingAWay", 6)])
    func `compiles all code of the articles`(name: String, atLeast: Int) throws {
        let article = try String(contentsOf: Self.articles.appendingPathComponent("\(name).md"), encoding: .utf8)
        let compiled = try String(contentsOf: Self.tests.appendingPathComponent("\(name).swift"), encoding: .utf8)
        let lines = compiled.components(separatedBy: "\n")
        let blocks = article.components(separatedBy: "```swift\n").dropFirst().map { block in
            block.components(separatedBy: "\n```")[0].components(separatedBy: "\n")
        }
        #expect(blocks.count >= atLeast)
        for block in blocks {
            #expect(occurs(block, in: lines), "\(block[0])")
        }
    }

    /// `true` if the lines occur one after the other, all with the same additional indentation.
    private func occurs(_ block: [String], in lines: [String]) -> Bool {
        guard let first = block.first, block.count <= lines.count else { return false }
        return (0...lines.count - block.count).contains { start in
            guard lines[start].hasSuffix(first) else { return false }
            let indentation = String(lines[start].dropLast(first.count))
            guard indentation.allSatisfy({ $0 == " " }) else { return false }
            return zip(lines[start...], block).allSatisfy { $0 == ($1.isEmpty ? "" : indentation + $1) }
        }
    }

    @Test func `the comparison finds differences`() {
        let lines = ["x", "    func a() {", "", "        b()", "    }"]
        #expect(occurs(["func a() {", "", "    b()", "}"], in: lines))
        #expect(!occurs(["func a() {", "    b()", "}"], in: lines))
        #expect(!occurs(["func a() {", "", "    c()", "}"], in: lines))
        #expect(!occurs(["func a() {", "", "  b()", "}"], in: lines))
    }

    @Test func `the article's app signs up, creates a promise and follows it to the result`() async throws {
        let app = FirstPromise()
        let time = TestTime()
        try await withClient(time: time) { world in
            async let nickname = app.signIn(world.client, email: "ann@meet.example", password: "correct horse")
            let link = try await world.links.accept()
            try link.refuse(try await link.receive(), WireErrorReply(.authInvalidCredentials))
            let signUp = try await link.receive()
            #expect(signUp.signUp.nickname == "ann")
            var session = WireSession("1")
            session.user.nickname = "ann"
            try link.reply(to: signUp, .session(session))
            #expect(try await nickname == "ann")

            async let promiseID = app.promiseCoffee(world.client, at: .init(), with: ["bea"], key: "k")
            let creation = try await link.receive()
            #expect(creation.createPromise.inviteeIds == ["bea"])
            let reply = WirePromiseReply.with { $0.promise.promiseID = "p" }
            try link.reply(to: creation, .promise(reply))
            #expect(try await promiseID == "p")

            async let lines = app.follow("p", with: world.client)
            try await tell(over: link)
            #expect(try await lines == [": 0 people", "bea is coming", "number 1 is there"])
        }
    }

    private func tell(over link: MemoryLink) async throws {
        try await link.subscribe(seq: 0)
        var events: [WireEvent] = []
        for seq in 1...3 as ClosedRange<UInt32> { events.append(WireEvent("p", seq: seq)) }
        events[0].joined.user.nickname = "bea"
        events[1].arrived.arrival.rank = 1
        events[2].resultFinal = WireEvent.ResultFinal()
        for event in events { try link.send(WireServerFrame(event: event)) }
    }

    @Test func `the article's app reports, steers the receiver and stores its session`() async throws {
        let app = FirstPromise()
        let fixes = app.openFixes(in: "/dev/null/no-directory")
        #expect(fixes.count == 0)
        let links = MemoryLinks()
        let client = makeClient(.test, links: links)
        let reporter = PositionReporter(client: client, fixes: fixes)
        let stored = Mailbox<WireSession>()
        async let running: Void = app.runApp(client: client, reporter: reporter) { stored.put($0) }
        let link = try await ClientWorld(client: client, links: links).signedIn()
        #expect(try await stored.next() == WireSession("1"))
        try await link.welcome()
        try await link.exchangeClocks()
        await app.moved(toLatitude: 52.5, longitude: 13.4, accuracyMetres: 8, reporter: reporter)
        let fix = try #require(try await link.receive().report.fixes.first)
        #expect(fix.latitude == 52.5 && fix.accuracyMetres == 8 && fix.seq == 1)
        #expect(try await Set([app.effects.next(), app.effects.next()]) == ["connected", "receiver true"])
        await client.close()
        await running
    }

    @Test func `the article's client uses the store's device id`() async {
        let app = FirstPromise()
        let client = app.makeClient(
            of: ServerAddress(host: "meet.example", port: 443),
            over: MemoryLinks(),
            fixes: FixStore()
        )
        #expect(await client.currentSession == nil)
        await client.close()
    }
}
