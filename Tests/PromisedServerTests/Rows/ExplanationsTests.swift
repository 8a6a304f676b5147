import Testing

@testable import PromisedApplication
@testable import PromisedDomain
@testable import PromisedEngine
@testable import PromisedTestSupport

@Suite(.timeLimit(.minutes(1))) struct ExplanationsTests {
    private let explanations = Explanations()
    private let promise = Promise.sample(owner: .user(1))

    private func subject(_ connection: Int) -> Explanations.Subject {
        let id = SubscriberID(rawValue: UInt64(connection))
        return Explanations.Subject(connection: id, promise: promise.id, user: .user(1))
    }

    private func fixes(_ count: Int) -> [ArchivedFix] {
        (1...count).map { number in
            ArchivedFix(
                userID: .user(1),
                device: DeviceKey(deviceID: "phone", bootID: "1"),
                fix: .sample(seq: UInt32(number), at: promise.opensAt + .seconds(Double(number)), metres: 100)
            )
        }
    }

    private func explain(_ count: Int, for connection: Int) async -> Explanations.Explanation {
        await explanations.explain(
            fixes(count),
            refused: [],
            of: promise,
            arrival: nil,
            for: subject(connection),
            at: promise.meetsAt
        )
    }

    @Test func `later pages reuse the first page's evaluation`() async {
        let first = await explain(3, for: 1)
        #expect(first.judged.map(\.fix.seq) == [1, 2, 3])
        #expect(await explanations.known(subject(1), of: promise)?.judged == first.judged)
        #expect(await explanations.known(subject(2), of: promise) == nil)
    }

    @Test func `evaluates a first page again with later fixes`() async {
        _ = await explain(3, for: 1)
        let again = await explain(4, for: 1)
        #expect(again.count == 4)
        #expect(await explanations.known(subject(1), of: promise)?.count == 4)
    }

    @Test func `discards an explanation after its last page`() async {
        _ = await explain(3, for: 1)
        await explanations.forget(subject(1))
        #expect(await explanations.known(subject(1), of: promise) == nil)
    }

    @Test(arguments: [(1, true), (Explanations.limit, true), (Explanations.limit + 1, false)])
    func `stores a limited number and removes the oldest first`(count: Int, isKept: Bool) async {
        for connection in 1...count {
            _ = await explain(1, for: connection)
        }
        #expect(await (explanations.known(subject(1), of: promise) != nil) == isKept)
        #expect(await explanations.known(subject(count), of: promise) != nil)
    }

    @Test func `an edit of the promise reevaluates the next page`() async {
        _ = await explain(1, for: 1)
        var moved = promise
        moved.radiusMetres += 1
        #expect(await explanations.known(subject(1), of: moved) == nil)
    }

    @Test func `discards explanations of an ended connection`() async {
        for connection in 1...2 {
            _ = await explain(1, for: connection)
        }
        await explanations.forget(subject(1).connection)
        #expect(await explanations.known(subject(1), of: promise) == nil)
        #expect(await explanations.known(subject(2), of: promise) != nil)
    }
}
