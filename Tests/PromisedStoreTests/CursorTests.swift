import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite struct CursorTests {
    @Test(.proves("4.17"), arguments: [Int64.min, -1, 0, 1, Instant.meeting.milliseconds, .max])
    func `reads a promise cursor from its text`(milliseconds: Int64) {
        let cursor = PromiseCursor(
            meetsAt: Instant(milliseconds: milliseconds),
            promiseID: PromiseID(high: .max, low: 0x0123_4567_89AB_CDEF)
        )
        #expect(PromiseCursor(cursor.description) == cursor)
        #expect(FriendCursor(cursor.description) == nil)
        #expect(cursor.description.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
    }

    @Test(arguments: ["", "a", "??>>", "사용자"]) func `reads a friend cursor from its text`(key: String) {
        let cursor = FriendCursor(nicknameKey: key, userID: .user(7))
        #expect(FriendCursor(cursor.description) == cursor)
        #expect(PromiseCursor(cursor.description) == nil)
    }

    @Test func `a friend with the longest folded nickname has a cursor`() {
        // 20 letters of three bytes, each of which folds to 33, and 100 bytes of marks.
        let cursor = FriendCursor(nicknameKey: String(repeating: "x", count: 20 * 33 + 100), userID: .user(7))
        #expect(FriendCursor(cursor.description) == cursor)
    }

    @Test(arguments: [(1_510, true), (1_511, true), (1_512, false)])
    func `limits a cursor to 2048 characters`(bytes: Int, isGood: Bool) {
        let cursor = FriendCursor(nicknameKey: String(repeating: "x", count: bytes), userID: .user(7))
        #expect((FriendCursor(cursor.description) == cursor) == isGood)
    }

    @Test(
        .proves("4.17"),
        arguments: ["", "A", "AAAA", "!!!!", "====", "cA==", String(repeating: "A", count: 4_000), "\u{0}"]
    )
    func `rejects other texts as cursors`(text: String) {
        #expect(PromiseCursor(text) == nil)
        #expect(FriendCursor(text) == nil)
    }
}
