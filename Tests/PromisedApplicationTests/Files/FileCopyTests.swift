import PromisedDomain
import PromisedJournal
import PromisedTestSupport
import Testing

@testable import PromisedApplication

@Suite(.timeLimit(.minutes(1))) struct FileCopyTests {
    private let source = MemoryFileStorage()
    private let target = MemoryFileStorage()

    private func copy(_ files: [StoredFile]) async throws(FileStorageError) -> FileCopyReport {
        try await FileCopy(source: source, target: target).copy(files)
    }

    @Test func `copies files in pieces of 1 MiB, also an empty one`() async throws {
        let bytes = (0..<2_500_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try await source.keep(bytes, as: .sample(1))
        try await source.keep([], as: .sample(2))
        let report = try await copy([.sample(1, bytes), .sample(2, [])])
        #expect(report.files == 2 && report.bytes == 2_500_000 && report.missing.isEmpty && report.damaged.isEmpty)
        #expect(target.appended == [1_048_576, 1_048_576, 402_848, 0])
        let contents = try await target.contents()
        #expect(contents.files == [.sample(1): 2_500_000, .sample(2): 0] && contents.uploads.isEmpty)
        #expect(try await target.read(.sample(1), 0..<2_500_000) == bytes)
    }

    @Test func `skips and reports missing and damaged files`() async throws {
        for number in [1, 3, 4] as [UInt64] { try await source.keep([1, 2], as: .sample(number)) }
        let rows = [
            StoredFile.sample(1, [1, 2]), .sample(2, [1, 2]), .sample(3, [1, 3]), .sample(4, [1]), .sample(5, [1]),
        ]
        let report = try await copy(rows)
        #expect(report.files == 1 && report.bytes == 2)
        #expect(report.missing == [.sample(2), .sample(5)] && report.damaged == [.sample(3), .sample(4)])
        let contents = try await target.contents()
        #expect(contents.files == [.sample(1): 2] && contents.uploads.isEmpty)
    }

    @Test func `reports a file deleted during the backup and copies the others`() async throws {
        for number in 1...3 as ClosedRange<UInt64> { try await source.keep([7], as: .sample(number)) }
        target.onAppend = { [source] in
            do {
                try await source.remove([.sample(2)])
            } catch {
                Issue.record(error)
            }
        }
        let report = try await copy((1...3).map { .sample($0, [7]) })
        #expect(report.files == 2 && report.missing == [.sample(2)] && report.damaged.isEmpty)
        #expect(try await target.contents().files == [.sample(1): 1, .sample(3): 1])
    }

    @Test func `a full disk ends the copy`() async throws {
        try await source.keep([7], as: .sample(1))
        target.failAppends(with: .full)
        await #expect(throws: FileStorageError.full) { _ = try await copy([.sample(1, [7])]) }
        #expect(try await target.contents().files.isEmpty)
        target.failAppends(with: nil)
        target.keepFailure = .full
        await #expect(throws: FileStorageError.full) { _ = try await copy([.sample(1, [7])]) }
        #expect(try await target.contents().files.isEmpty)
    }
}
