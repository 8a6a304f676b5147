import Foundation
import PromisedDomain
import PromisedProtocol
import PromisedStore
import PromisedTestSupport
import Testing

@testable import PromisedServer

@Suite(.timeLimit(.minutes(1))) struct IntegrityWatchTests {
    private static func with(_ body: (Store) async throws -> Void) async throws {
        let directory = NSTemporaryDirectory() + "promised-test-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let store = try await Store.open(directory: directory)
        try await body(store)
        try await store.close()
    }

    @Test func `checks a small file on request`() async throws {
        try await Self.with { store in
            let finding = await IntegrityWatch(store, log: .silent).finding()
            #expect(finding == .ok("integrity", "The database file is intact."))
        }
    }

    @Test func `gives the last result of a larger file with its time`() async throws {
        try await Self.with { store in
            let watch = IntegrityWatch(store, small: 0, log: .silent)
            #expect(await watch.finding().state == .skipped)
            await watch.look(at: .meeting)
            let detail = "The database file is intact. Checked at \(Instant.meeting.rfc3339)."
            #expect(await watch.finding() == .ok("integrity", detail))
        }
    }

    @Test func `an unreadable file fails on request and keeps the last result`() async throws {
        try await Self.with { store in
            let (small, large) = (IntegrityWatch(store, log: .silent), IntegrityWatch(store, small: 0, log: .silent))
            #expect(await large.look(at: .meeting))
            try await store.close()
            #expect(await !large.look(at: .meeting))
            #expect(await large.finding().state == .ok)
            let finding = await small.finding()
            #expect(finding.state == .failed && !finding.advice.isEmpty)
        }
    }
}
