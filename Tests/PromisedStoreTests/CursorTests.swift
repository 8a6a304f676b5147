import PromisedDomain
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite struct CursorTests {
    @Test(arguments: [Int64.min, -1, 0, 1, Instant.meeting.milliseconds, .max])
    func `a promise cursor survives as text`(milliseconds: Int64) {
        let cursor = PromiseCursor(
            meetsAt: Instant(milliseconds: milliseconds),
            promiseID: PromiseID(high: .max, low: 0x0123_4567_89AB_CDEF)
        )
        #expect(PromiseCursor(cursor.description) == cursor)
        #expect(FriendCursor(cursor.description) == nil)
        #expect(cursor.description.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
    }

    @Test(arguments: ["", "a", "??>>", "사용자"]) func `a friend cursor survives as text`(key: String) {
        let cursor = FriendCursor(nicknameKey: key, userID: .user(7))
        #expect(FriendCursor(cursor.description) == cursor)
        #expect(PromiseCursor(cursor.description) == nil)
    }

    @Test(arguments: ["", "A", "AAAA", "!!!!", "====", "cA==", String(repeating: "A", count: 4_000), "\u{0}"])
    func `any other text is no cursor`(text: String) {
        #expect(PromiseCursor(text) == nil)
        #expect(FriendCursor(text) == nil)
    }
}
