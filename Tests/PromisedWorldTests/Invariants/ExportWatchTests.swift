import Foundation
import PromisedDomain
import PromisedFormats
import PromisedJournal
import PromisedProtocol
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedWorld

@Suite struct ExportWatchTests {
    private static let user = Fixtures.user(0)
    private static let file = FileID(high: 1, low: 9)

    private static func visit(_ number: UInt64) -> VisitID { VisitID(high: 7, low: number) }

    /// A user with visits of these numbers, whose export is at work, or ready.
    private static func committed(_ visits: [UInt64], isReady: Bool) -> CommittedRows {
        var committed = CommittedRows()
        for number in visits {
            committed.owned.visits[visit(number)] = .init(userID: user, audience: "private")
        }
        committed.owned.exports[user] = .init(askedAt: .meeting, fileID: isReady ? file : nil, isReady: isReady)
        return committed
    }

    private static func archive(_ visits: [UInt64], friend: String = "") throws -> [UInt8] {
        var (zip, bytes) = (ZIPWriter(), [UInt8]())
        let items = visits.map { "{\"visitId\":\"\(visit($0))\"}" }.joined(separator: ",\n")
        for (name, text) in [("visits.json", "[\(items)]"), ("friends.json", friend)] {
            try zip.add(name, Array(text.utf8), modified: .meeting, into: &bytes)
        }
        try zip.begin("courses.json", modified: .meeting, into: &bytes)
        try zip.append(Array("[]".utf8), into: &bytes)
        zip.end(into: &bytes)
        zip.finish(into: &bytes)
        return bytes
    }

    /// Follows an export of the first visits, which is ready once the next ones are there.
    private static func follow(_ first: [UInt64], _ next: [UInt64], _ bytes: [UInt8]) throws -> ExportWatch {
        var watch = ExportWatch(people: 3) { _ in bytes }
        try watch.noteCommit(CommittedRows(), committed(first, isReady: false))
        try watch.noteCommit(committed(first, isReady: false), committed(next, isReady: true))
        return watch
    }

    @Test func `reads an archive from its bytes and rejects others`() throws {
        let bytes = try Self.archive([1, 2])
        let archive = try #require(Archive(bytes))
        #expect(archive.entries.keys.sorted() == ["courses.json", "friends.json", "visits.json"])
        #expect(archive.ids("visits.json", "visitId") == [Self.visit(1), Self.visit(2)])
        #expect(Archive([]) == nil && Archive(Array(bytes.dropLast())) == nil)
        #expect(Archive(Array(bytes.dropFirst())) == nil)
    }

    @Test func `requires all constant data in an archive`() throws {
        _ = try Self.follow([1, 2], [2, 3], Self.archive([2]))
        #expect(throws: Violation.self) { try Self.follow([1, 2], [1, 2], Self.archive([2])) }
    }

    @Test(.proves("18.27", "18.28")) func `finds an archive with deleted data`() throws {
        #expect(throws: Violation.self) { try Self.follow([1, 2], [2], Self.archive([1, 2])) }
        var watch = try Self.follow([1], [1], Self.archive([1]))
        let (before, after) = (Self.committed([1], isReady: true), Self.committed([], isReady: true))
        #expect(throws: Violation.self) { try watch.noteCommit(before, after) }
        var deleted = Self.committed([1, 2], isReady: true)
        deleted.deleted = [Self.user]
        #expect(throws: Violation.self) { try watch.noteCommit(before, deleted) }
    }

    @Test func `finds an archive with more of others than their cards`() throws {
        let token = Fixtures.token(1)
        _ = try Self.follow([1], [1], Self.archive([1], friend: "[{\"nickname\":\"\(token)\"}]"))
        _ = try Self.follow([1], [1], Self.archive([1], friend: "[{\"memo\":\"\(Fixtures.token(0))\"}]"))
        #expect(throws: Violation.self) {
            try Self.follow([1], [1], Self.archive([1], friend: "[{\"email\":\"\(token)@example.org\"}]"))
        }
    }

    private static func chunk(_ bytes: [UInt8], at offset: Int = 0) -> WireFileChunk {
        var chunk = WireFileChunk()
        (chunk.fileID, chunk.offset, chunk.data) = (file.description, Double(offset), Data(bytes))
        return chunk
    }

    @Test func `finds an archive read by another user or with different bytes`() throws {
        let bytes = try Self.archive([1])
        let watch = try Self.follow([1], [1], bytes)
        try watch.check(Self.chunk(bytes), to: Self.user)
        try watch.check(Self.chunk(Array(bytes[7..<20]), at: 7), to: Self.user)
        #expect(throws: Violation.self) { try watch.check(Self.chunk(bytes), to: Fixtures.user(1)) }
        for wrong in [Self.chunk(Array(bytes[7..<20])), Self.chunk(bytes + [0]), Self.chunk([1], at: bytes.count)] {
            #expect(throws: Violation.self) { try watch.check(wrong, to: Self.user) }
        }
    }
}
