import Testing

@testable import PromisedAccess

@Suite struct NicknameFileNameTests {
    struct Case: Sendable {
        let files: [String]
        let nicknames: [String]
    }

    @Test(arguments: [
        // Removes the extension, only the last of several, and none from a hidden file.
        Case(files: ["anna.gpx"], nicknames: ["anna"]),
        Case(files: ["a.b.gpx"], nicknames: ["a_b"]),
        Case(files: ["README"], nicknames: ["README"]),
        Case(files: [".gpx"], nicknames: ["_gpx"]),
        Case(files: ["some/folder/ben.gpx"], nicknames: ["ben"]),
        // Other characters become underscores, one for one.
        Case(files: ["ride-a 01 (x).gpx"], nicknames: ["ride_a_01__x_"]),
        Case(files: ["지은👋.gpx"], nicknames: ["지은_"]),
        Case(files: ["Zoe\u{308}.gpx"], nicknames: ["Zo\u{EB}"]),
        // From 2 to 20 characters.
        Case(files: ["a.gpx"], nicknames: ["a_"]),
        Case(files: [""], nicknames: ["__"]),
        Case(files: ["abcdefghijklmnopqrst.gpx"], nicknames: ["abcdefghijklmnopqrst"]),
        Case(files: ["abcdefghijklmnopqrstu.gpx"], nicknames: ["abcdefghijklmnopqrst"]),
        // Unique ignoring case, also against names that look like made ones.
        Case(files: ["x-y.gpx", "x y.gpx", "X.Y.gpx"], nicknames: ["x_y", "x_y_2", "X_Y_3"]),
        Case(files: ["ab_2.gpx", "ab.gpx", "AB.fit"], nicknames: ["ab_2", "ab", "AB_3"]),
        Case(
            files: ["abcdefghijklmnopqrstu.gpx", "abcdefghijklmnopqrstv.gpx"],
            nicknames: ["abcdefghijklmnopqrst", "abcdefghijklmnopqr_2"]
        ),
    ])
    func `makes nicknames from names of files`(row: Case) {
        #expect(Nickname.unique(forFileNames: row.files).map(\.text) == row.nicknames)
    }

    @Test func `all nicknames are valid and different for any names`() throws {
        let names = (0..<300).map { number in
            ["", "a", "ж", "👋", "same name that is far too long", "same_name_that_is_far_too"][number % 6] + ".gpx"
        }
        let nicknames = Nickname.unique(forFileNames: names)
        #expect(Set(nicknames.map(\.key)).count == names.count)
        for nickname in nicknames {
            #expect(try Nickname(nickname.text) == nickname)
        }
    }
}
