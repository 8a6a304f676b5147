import PromisedProtocol
import PromisedWire
import SwiftProtobuf
import Testing

@testable import promisectl

@Suite("The board of a watch")
struct WatchBoardTests {
    private func board(_ nicknames: [String] = ["ada", "bob", "eve"]) throws -> WatchBoard {
        WatchBoard(try .sample(nicknames, seq: 10))
    }

    @Test func `sorts participants by arrival, then distance, then hidden ones`() throws {
        var board = try board(["ada", "bob", "eve", "zoe"])
        _ = board.take(try .positions([("ada", 900), ("bob", 300), ("zoe", 10)]))
        _ = try board.take(.arrived("zoe", rank: 1, seq: 11))
        #expect(board.rows.map(\.user.nickname) == ["zoe", "bob", "ada", "eve"])
    }

    @Test func `ignores an event contained in the snapshot`() throws {
        var board = try board()
        let taken = [
            board.take(try .arrived("ada", rank: 1, seq: 10)), board.take(try .arrived("ada", rank: 1, seq: 11)),
            board.take(try .arrived("bob", rank: 2, seq: 11)),
        ]
        #expect(taken == [false, true, false])
        #expect(board.rows.filter(\.hasArrival).map(\.user.nickname) == ["ada"])
    }

    @Test func `shows only accepted participants`() throws {
        var board = try board(["ada"])
        let joined = WireEvent.with {
            $0.seq = 11
            $0.joined.user = .sample("bob")
        }
        _ = board.take(joined)
        #expect(board.rows.map(\.user.nickname) == ["ada", "bob"])
        let left = WireEvent.with {
            $0.seq = 12
            $0.left.user = .sample("ada")
        }
        _ = board.take(left)
        #expect(board.rows.map(\.user.nickname) == ["bob"])
    }

    @Test func `a participant who stops sharing has no distance`() throws {
        var board = try board()
        _ = board.take(try .positions([("ada", 900)]))
        let event = WireEvent.with { $0.sharingChanged.userID = "id-of-ada" }
        _ = board.take(event)
        #expect(!board.rows.contains { $0.hasPosition })
    }

    @Test func `retracts an arrival`() throws {
        var board = try board()
        _ = try board.take(.arrived("ada", rank: 1, seq: 11))
        let event = WireEvent.with {
            $0.seq = 12
            $0.arrivalRetracted.userID = "id-of-ada"
        }
        _ = board.take(event)
        #expect(!board.rows.contains { $0.hasArrival })
    }

    @Test func `is over when the result is final or the promise cancelled`() throws {
        var board = try board()
        #expect(!board.isOver)
        _ = board.take(try .final(seq: 11))
        #expect(board.isOver)
        #expect(board.result != nil)
        var other = try self.board()
        let cancelled = WireEvent.with {
            $0.seq = 11
            $0.cancelled.reason = "storm"
        }
        _ = other.take(cancelled)
        #expect(other.isOver)
        #expect(other.result == nil)
    }

    @Test func `a change of the promise keeps the participants' state`() throws {
        var board = try board(["ada"])
        _ = board.take(try .positions([("ada", 900)]))
        var event = WireEvent()
        event.seq = 11
        event.edited.promise = try .sample(["ada", "bob"])
        event.edited.promise.title = "Dinner"
        _ = board.take(event)
        #expect(board.promise.title == "Dinner")
        let rows = board.rows
        #expect(rows.map(\.hasPosition) == [true, false])
    }
}
