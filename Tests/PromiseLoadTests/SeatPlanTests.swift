import PromisedDomain
import Testing

@testable import promise_load

@Suite struct SeatPlanTests {
    private static func file(_ lines: [String]) -> String {
        (["promised-seed-1"] + lines).joined(separator: "\n") + "\n"
    }

    private static func line(_ user: Int, _ promise: String) -> String {
        "u\(user)\t\(promise)\t51.5\t-0.25\t50\t\(user % 2 == 1 ? "owner" : "member")\tt\(user)"
    }

    private let whole = file([line(1, "a"), line(2, "a"), line(3, "b"), line(4, "b"), line(5, "c")])

    @Test func `groups the users of one promise`() throws {
        let plan = try SeatPlan(tokens: whole, connections: 5)
        #expect(plan.groups.map(\.count) == [2, 2, 1])
        let seat = plan.groups[1][1]
        #expect(seat.userID == "u4")
        #expect(seat.promiseID == "b")
        #expect(seat.place == Coordinate(latitude: 51.5, longitude: -0.25))
        #expect(seat.radiusMetres == 50)
        #expect(!seat.isOwner)
        #expect(seat.token == "t4")
        #expect(plan.groups[1][0].isOwner)
    }

    @Test func `connects only the requested number`() throws {
        #expect(try SeatPlan(tokens: whole, connections: 3).groups.map(\.count) == [2, 1])
    }

    @Test func `processes share promises without dividing any`() throws {
        let plan = try SeatPlan(tokens: whole, connections: 5)
        #expect(plan.part(0, of: 2).groups.map { $0[0].promiseID } == ["a", "c"])
        #expect(plan.part(1, of: 2).groups.map { $0[0].promiseID } == ["b"])
    }

    @Test func `background users follow the phones in the file`() throws {
        #expect(try SeatPlan.spares(tokens: whole, after: 2, count: 2).map(\.token) == ["t3", "t4"])
        #expect(try SeatPlan.spares(tokens: whole, after: 0, count: 5).count == 5)
        #expect(throws: SeatPlan.Failure.self) { try SeatPlan.spares(tokens: whole, after: 4, count: 2) }
        #expect(throws: SeatPlan.Failure.self) { try SeatPlan.spares(tokens: whole, after: 6, count: 1) }
        #expect(throws: SeatPlan.Failure.self) { try SeatPlan.spares(tokens: "something else\n", after: 0, count: 1) }
        #expect(throws: SeatPlan.Failure.self) {
            try SeatPlan.spares(tokensFile: "/nowhere", after: 0, count: 1)
        }
    }

    @Test func `a relay's groups need no file`() {
        let plan = SeatPlan.relay(connections: 5, members: 2)
        #expect(plan.groups.map(\.count) == [2, 2, 1])
        #expect(plan.groups[2][0].userID == "4")
    }

    @Test(arguments: [
        "", "something else\n", "promised-seed-1\n", "promised-seed-1\nu\tp\t1\t2\t50\towner\n",
        "promised-seed-1\nu\tp\tx\t2\t50\towner\tt\n", "promised-seed-1\nu\tp\t1\t2\t50\tguest\tt\n",
        "promised-seed-1\nu\tp\t1\t2\t50\towner\t\n",
    ])
    func `rejects a file that is not a token file`(text: String) {
        #expect(throws: SeatPlan.Failure.self) { try SeatPlan(tokens: text, connections: 1) }
    }

    @Test func `rejects too few users and too many in one promise`() {
        #expect(throws: SeatPlan.Failure.self) { try SeatPlan(tokens: whole, connections: 6) }
        let crowd = Self.file((0..<65).map { Self.line($0, "a") })
        #expect(throws: SeatPlan.Failure.self) { try SeatPlan(tokens: crowd, connections: 65) }
    }
}
