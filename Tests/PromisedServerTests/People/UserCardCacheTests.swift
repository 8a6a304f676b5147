import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedApplication
@testable import PromisedServer

@Suite struct UserCardCacheTests {
    private static let promise = PromiseID(high: 0x7000, low: 0x8000_0000_0000_0001)
    private static let old = UserCard(id: .user(1), nickname: "Ada")
    private static let new = UserCard(id: .user(1), nickname: "deleted user", isDeleted: true)

    @Test func `shows a changed card from then on`() {
        let book = UserCardCache()
        book.pin([Self.old], for: Self.promise)
        book.update(Self.new)
        #expect(book.card(.user(1)) == Self.new)
        book.release(Self.promise)
        #expect(book.count == 0)
    }

    @Test func `does not restore a card read before its change`() {
        let book = UserCardCache()
        book.update(Self.new)
        #expect(book.count == 0)
        // The card as a promise has just read it.
        book.pin([Self.old], for: Self.promise)
        #expect(book.card(.user(1)) == Self.new)
    }

    @Test func `temporarily pinned cards do not change those of a promise`() {
        let book = UserCardCache()
        let other = UserCard(id: .user(2), nickname: "Bea")
        book.pin([Self.new], for: Self.promise)
        let shown = ShownCards([.user(1): Self.old, .user(2): other], newerIn: book)
        #expect(shown.card(.user(1)) == Self.new && shown.card(.user(2)) == other && shown.card(.user(3)).isDeleted)
        #expect(book.card(.user(2)).isDeleted, "nobody has pinned it")
        shown.whilePinned {
            #expect(book.card(.user(1)) == Self.new && book.card(.user(2)) == other)
            // Twice at the same time, and while the promise is released.
            shown.whilePinned { book.release(Self.promise) }
            #expect(book.card(.user(1)) == Self.new && book.card(.user(2)) == other)
        }
        #expect(book.count == 0)
        #expect(shown.card(.user(1)) == Self.old, "the last that is known")
    }

    @Test(.proves("4.19")) func `applies later changes to cards that were read`() {
        let book = UserCardCache()
        let shown = ShownCards([.user(1): Self.old], newerIn: book)
        #expect(shown.card(.user(1)) == Self.old)
        book.update(Self.new)
        #expect(shown.card(.user(1)) == Self.new)
        #expect(book.known([.user(1)]) == [:])
        book.pin([Self.old], for: Self.promise)
        #expect(book.known([.user(1), .user(2)]) == [.user(1): Self.new])
    }

    @Test func `stores only the last changes`() {
        let book = UserCardCache()
        for name in ["Bea", "Ada"] { book.update(UserCard(id: .user(1), nickname: name)) }
        for number in 2...256 as ClosedRange<UInt64> { book.update(UserCard(id: .user(number), nickname: "N")) }
        let stale = UserCard(id: .user(1), nickname: "stale")
        book.pin([stale], for: Self.promise)
        #expect(book.card(.user(1)).nickname == "Ada")
        book.release(Self.promise)
        // One more evicts the oldest; by then all its readers have pinned it.
        book.update(UserCard(id: .user(257), nickname: "N"))
        book.pin([stale], for: Self.promise)
        #expect(book.card(.user(1)).nickname == "stale")
    }
}
