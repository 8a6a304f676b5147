import PromisedDomain
import PromisedEngine
import PromisedJournal
import PromisedStore
import PromisedTestSupport
import Testing

@testable import PromisedApplication

@Suite(.timeLimit(.minutes(1)), .tags(.realTime)) struct RealTimeTests {
    @Test func `files use a clock that is not scaled`() {
        let clock = ManualClock(now: .meeting)
        let real = RealTime.clock(beside: clock)
        clock.advance(by: .hours(7))
        #expect(real.now == .meeting + .hours(7))
    }

    @Test func `an upload lasts an hour of real time on a clock a million times as fast`() async throws {
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        _ = try await store.accounts.createUser(.sample(1))
        let scaled = ScaledClock(start: .meeting, rate: 1e6)
        let files = Files(
            store: store,
            storage: MemoryFileStorage(),
            space: FileSpace(),
            clock: RealTime.clock(beside: scaled),
            random: .system,
            log: .silent
        )
        let announcement = Upload.Announcement(
            key: "1",
            kind: .track,
            bytes: 3,
            sha256: [UInt8](repeating: 1, count: 32)
        )
        let upload = try await files.uploads.begin(announcement, of: .user(1)).upload
        // Some ten milliseconds.
        let later = scaled.now + .hours(3)
        while scaled.now < later { await Task.yield() }
        try await files.deletions.sweep()
        #expect(try await files.uploads.put([1, 2], at: 0, into: upload.id, of: .user(1)).upload.offset == 2)
        try await store.close()
    }
}
