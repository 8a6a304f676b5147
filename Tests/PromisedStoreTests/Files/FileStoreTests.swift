import PromisedDomain
import PromisedJournal
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct FileStoreTests {
    static let now = Instant.meeting

    @Test(arguments: StoredFile.Kind.allCases) func `reads a file back unchanged`(kind: StoredFile.Kind) async throws {
        try await withStore(users: 1...1) { store async throws in
            let file = StoredFile.sample(1, kind: kind)
            try await store.add([file])
            #expect(try await store.files.file(.file(1))?.file == file)
            #expect(try await store.files.file(.file(2)) == nil)
        }
    }

    @Test func `reading many files equals reading each one`() async throws {
        try await withStore(users: 1...2) { store async throws in
            let files = (1...5 as ClosedRange<UInt64>).map { StoredFile.sample($0, of: .user($0 % 2 + 1)) }
            try await store.add(files)
            let asked = [4, 2, 9, 4].map(FileID.file)
            #expect(try await store.files.files(asked) == [.file(2): files[1], .file(4): files[3]])
            #expect(try await store.files.files([FileID]()) == [:])
        }
    }

    @Test func `only its user reads a file without visit or course`() async throws {
        try await withStore(users: 1...2) { store async throws in
            try await store.add(StoredFile.Kind.allCases.enumerated().map { .sample(UInt64($0), kind: $1) })
            for number in StoredFile.Kind.allCases.indices.map(UInt64.init) {
                #expect(try await store.files.file(.file(number), readableBy: .user(1))?.id == .file(number))
                #expect(try await store.files.file(.file(number), readableBy: .user(2)) == nil)
            }
            #expect(try await store.files.file(.file(9), readableBy: .user(1)) == nil)
        }
    }

    @Test func `lists all files in pages, by id`() async throws {
        try await withStore(users: 1...2) { store async throws in
            let files = (1...5 as ClosedRange<UInt64>).map { StoredFile.sample($0, of: .user($0 % 2 + 1)) }
            try await store.add(files.reversed())
            #expect(try await store.files.files(limit: 2).map(\.file) == Array(files[..<2]))
            #expect(try await store.files.files(after: .file(2), limit: 2).map(\.file) == Array(files[2..<4]))
            #expect(try await store.files.files(after: .file(4), limit: 2).map(\.file) == [files[4]])
            #expect(try await store.files.files(after: .file(5), limit: 2) == [])
        }
    }

    @Test func `lists only the photos of a user in pages, each once`() async throws {
        try await withStore(users: 1...2) { store async throws in
            let files = (1...9 as ClosedRange<UInt64>).map { number in
                StoredFile.sample(number, kind: number == 5 ? .export : .photo, bytes: number % 2 == 0 ? 50 : 70)
            }
            try await store.add(files + [.sample(10, of: .user(2))])
            for limit in [1, 2, 3, 8, 20] {
                var (found, cursor): ([StoredFile], FileCursor?) = ([], nil)
                repeat {
                    let page = try await store.files.files(of: .user(1), .photo, after: cursor, limit: limit)
                    #expect(page.items.count <= limit)
                    (found, cursor) = (found + page.items, page.next)
                } while cursor != nil
                #expect(found.sorted { $0.id < $1.id } == files.filter { $0.kind == .photo })
                #expect(found.map(\.bytes) == found.map(\.bytes).sorted())
            }
            #expect(try await store.plan(of: FileQuery.ofUser).allSatisfy { $0.hasPrefix("SEARCH file USING INDEX") })
        }
    }

    @Test func `counts files by kind`() async throws {
        try await withStore(users: 1...2) { store async throws in
            #expect(try await store.files.fileCounts() == [:])
            #expect(try await store.files.userCountWithFiles() == 0)
            try await store.add([
                .sample(1, bytes: 100), .sample(2, of: .user(2), bytes: 50), .sample(3, kind: .export, bytes: 7),
            ])
            let expected: [StoredFile.Kind: FileCount] = [
                .photo: FileCount(files: 2, bytes: 150), .export: FileCount(files: 1, bytes: 7),
            ]
            #expect(try await store.files.fileCounts() == expected)
            #expect(try await store.files.userCountWithFiles() == 2)
        }
    }

    @Test func `deletes only old files without an item, oldest first`() async throws {
        try await withStore(users: 1...1) { store async throws in
            for number in 1...5 as ClosedRange<UInt64> {
                let kind = StoredFile.Kind.allCases[Int(number) % 3]
                try await store.add([.sample(number, kind: kind)], at: Self.now + .minutes(Int64(10 - number)))
            }
            try await store.add([.sample(6)], at: Self.now)
            try await store.createVisit(1, photos: [6])
            let limit = Self.now + .minutes(8)
            #expect(try await store.files.deleteUnusedFiles(before: limit, limit: 2) == [.file(5), .file(4)])
            #expect(try await store.files.deleteUnusedFiles(before: limit) == [.file(3)])
            #expect(try await store.files.deleteUnusedFiles(before: limit) == [])
            #expect(try await store.files.files(limit: 9).map(\.file.id) == [.file(1), .file(2), .file(6)])
        }
    }
}
