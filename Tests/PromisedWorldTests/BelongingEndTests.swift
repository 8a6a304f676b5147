import PromisedDomain
import PromisedStore
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedWorld

@Suite struct BelongingEndTests {
    private static func point(_ number: UInt32) -> Coordinate {
        SimulatedRecording.position(number, phone: 1, recording: 1)
    }

    @Test(.proves("18.17")) func `finds a missing or duplicate point`() throws {
        let points = (UInt32(1)...3).map(Self.point)
        try BelongingEnd.check(points, among: points.reversed())
        // A point with a lost receipt is stored.
        try BelongingEnd.check([points[0]], among: points)
        for kept in [[points[0], points[1]], points + [points[2]]] {
            #expect(throws: Violation.self) { try BelongingEnd.check(points, among: kept) }
        }
        #expect(throws: Violation.self) { try BelongingEnd.check([], among: [points[0], points[0]]) }
        #expect(throws: Violation.self) { try BelongingEnd.check([nil], among: points) }
    }

    @Test(.proves("18.21")) func `finds a row of a deleted account`() async throws {
        let simulated = try SimulatedStore()
        _ = try await simulated.store.accounts.createUser(
            NewAccount(
                id: .user(1),
                email: "one@example.org",
                emailKey: "one@example.org",
                nickname: "one",
                nicknameKey: "one",
                passwordHash: "none",
                timeZone: "UTC",
                createdAt: .meeting
            )
        )
        #expect(throws: Violation.self) { try BelongingEnd.requireNoRows(of: [.user(1)], in: simulated) }
        _ = try await simulated.store.deletions.beginDeletion(of: .user(1), at: .meeting, subjectKey: { _ in [] })
        try BelongingEnd.requireNoRows(of: [.user(1)], in: simulated)
    }
}
