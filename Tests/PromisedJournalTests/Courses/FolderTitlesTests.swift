import PromisedJournal
import PromisedPlaces
import PromisedTestMarks
import Testing

@Suite struct FolderTitlesTests {
    @Test(
        arguments: [
            ([], "New folder", "임시폴더"),
            (["New folder"], "New folder (2)", "임시폴더"),
            (["new FOLDER", "New folder (2)", "New folder (4)"], "New folder (3)", "임시폴더"),
            (["임시폴더", "임시폴더(2)"], "New folder", "임시폴더(3)"),
            (["임시폴더 (2)", "임시폴더"], "New folder", "임시폴더(2)"),
        ] as [([String], String, String)]
    )
    func `gives a folder without a title the first free one`(taken: [String], english: String, korean: String) {
        let titles = FolderTitles(taken)
        #expect(titles.untitled(in: .english) == english)
        #expect(titles.untitled(in: .korean) == korean)
    }

    @Test(.proves("17.10")) func `titles are unique, ignoring case`() {
        let titles = FolderTitles(["Älteste Wege"])
        #expect(titles.isTaken("älteste WEGE"))
        #expect(titles.isTaken("a\u{308}lteste wege"))
        #expect(!titles.isTaken("Aelteste Wege"))
    }
}
