import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

@Suite struct ParticipantTests {
    struct Part: CustomTestStringConvertible, Sendable {
        var name: String
        var participant: Participant
        var tookPart: Bool
        var testDescription: String { name }
    }

    static let opening = Promise.sample().opensAt
    static let millisecond = TimeSpan.milliseconds(1)

    static let parts: [Part] = [
        Part(name: "accepted before the opening", participant: .accepted(.user(1)), tookPart: true),
        Part(name: "accepted inside", participant: .accepted(.user(1), at: opening + .minutes(9)), tookPart: true),
        Part(name: "never answered", participant: .invited(.user(1)), tookPart: false),
        Part(name: "declined before", participant: .declined(.user(1)), tookPart: false),
        Part(name: "declined inside", participant: .declined(.user(1), at: .meeting), tookPart: false),
        // Leaving around the opening: one before, at it, one after.
        Part(name: "left 1 ms before", participant: .left(.user(1), at: opening - millisecond), tookPart: false),
        Part(name: "left on it", participant: .left(.user(1), at: opening), tookPart: true),
        Part(name: "left 1 ms after", participant: .left(.user(1), at: opening + millisecond), tookPart: true),
        Part(name: "removed 1 ms before", participant: .removed(.user(1), at: opening - millisecond), tookPart: false),
        Part(name: "removed 1 ms after", participant: .removed(.user(1), at: opening + millisecond), tookPart: true),
    ]

    @Test(.proves("8.1"), arguments: parts)
    func `a user accepted at any time since the opening took part`(_ row: Part) {
        #expect(row.participant.tookPart(from: ParticipantTests.opening) == row.tookPart)
    }

    @Test func `sharing is on from the start`() {
        #expect(Participant.invited(.user(1)).isSharing)
    }

    @Test(
        .proves("4.1"),
        arguments: [
            (0, "KRW", true), (1, "EUR", true), (40_000_000, "JPY", true), (40_000_001, "JPY", false),
            (-1, "EUR", false),
            (5, "eur", false),
            (5, "EU", false), (5, "EURO", false), (5, "", false), (5, "E1R", false), (5, "ÄÖ", false),
        ]
    )
    func `a penalty has an amount of 0 to 40 million and a currency of three capital letters`(
        amount: Int32,
        currency: String,
        isValid: Bool
    ) {
        #expect(Penalty(amount: amount, currency: currency).isValid == isValid)
    }
}
