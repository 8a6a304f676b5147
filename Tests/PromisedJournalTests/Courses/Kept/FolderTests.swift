import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedTestMarks
import Testing

@Suite struct FolderTests {
    private static let now = RandomTrack.start

    private static func folder(_ title: String?, emoji: String = "", among others: [String] = []) throws -> Folder {
        try Folder(
            id: .folder(1),
            of: .number(1),
            title: title,
            emoji: emoji,
            language: .korean,
            among: others,
            at: now
        )
    }

    @Test func `a folder has the requested title, or the first of its language`() throws {
        #expect(try Self.folder("Rides", emoji: "🚲").title == "Rides")
        #expect(try Self.folder(nil, among: ["임시폴더"]).title == "임시폴더(2)")
        let others = ["Rides", "임시폴더"]
        #expect(throws: Refusal.folderTitleTaken) { try Self.folder("rIDES", among: others) }
    }

    @Test(
        arguments: [
            (0, 0, .invalid(field: "title")), (1, 0, nil), (60, 1, nil), (61, 0, .invalid(field: "title")),
            (1, 2, .invalid(field: "emoji")),
        ] as [(Int, Int, Refusal?)]
    )
    func `title and emoji have limited lengths`(title: Int, emoji: Int, refusal: Refusal?) throws {
        let text = String(repeating: "가", count: title)
        let emoji = String(repeating: "🚲", count: emoji)
        if let refusal {
            #expect(throws: refusal) { try Self.folder(text, emoji: emoji) }
            var folder = try Self.folder("Rides")
            #expect(throws: refusal) {
                try folder.edit(version: 1, title: text, emoji: emoji, among: [], at: Self.now)
            }
        } else {
            #expect(try Self.folder(text, emoji: emoji).title == text)
        }
    }

    @Test(.proves("folder.limit"), arguments: [(199, nil), (200, .folderLimit)] as [(Int, Refusal?)])
    func `a user has at most 200 folders`(count: Int, refusal: Refusal?) throws {
        let others = (0..<count).map { "Folder \($0)" }
        if let refusal {
            #expect(throws: refusal) { try Self.folder("Rides", among: others) }
        } else {
            #expect(throws: Never.self) { try Self.folder("Rides", among: others) }
        }
    }

    @Test func `an edit needs the version and a free title`() throws {
        var folder = try Self.folder("Rides")
        try folder.edit(version: 1, title: "rides", among: ["Walks"], at: Self.now + .hours(1))
        #expect(folder.title == "rides" && folder.version == 2 && folder.changedAt == Self.now + .hours(1))
        #expect(throws: Refusal.courseStaleVersion) {
            try folder.edit(version: 1, title: "Runs", among: [], at: Self.now)
        }
        #expect(throws: Refusal.folderTitleTaken) {
            try folder.edit(version: 2, title: "WALKS", among: ["Walks"], at: Self.now)
        }
        let before = folder
        try folder.edit(version: 2, title: "rides", emoji: "", among: [], at: Self.now + .hours(2))
        #expect(folder == before)
    }
}
