import PromisedDomain
import PromisedEngine
import Testing

@testable import PromisedApplication

@Suite struct ReportAnswersTests {
    static func merged(_ answers: [Result<SessionReply, EngineError>]) throws -> ReportReceipt {
        var merged = ReportAnswers()
        for answer in answers { merged.take(answer) }
        return try merged.receipt()
    }

    /// An answer to a report of the numbers 1 to 3, with those accepted whose bit is set.
    static func receipt(taking bits: Int) -> ReportReceipt {
        let numbers = 1...3 as ClosedRange<UInt32>
        let reasons: [Refusal] = [.positionOutsideWindow, .positionLimit]
        return ReportReceipt(
            taken: numbers.filter { bits & 1 << $0 != 0 },
            rejected: numbers.filter { bits & 1 << $0 == 0 }.map {
                ReportReceipt.Rejection(seq: $0, reason: reasons[bits / 2 % 2])
            },
            nextReport: bits == 0 ? nil : .seconds(Double(bits))
        )
    }

    /// All answers of three promises; often one is equal to the one before.
    @Test(arguments: 0..<8, 0..<8)
    func `accepts a fix that any promise accepts, else rejects it with the first reason`(
        first: Int,
        second: Int
    ) throws {
        for third in 0..<8 {
            let receipts = [first, second, third].map { Self.receipt(taking: $0 * 2) }
            let merged = try Self.merged(receipts.map { .success(.reported($0)) })
            let taken = Set(receipts.flatMap(\.taken))
            #expect(Set(merged.taken) == taken && merged.taken.count == taken.count)
            #expect(merged.taken.starts(with: receipts[0].taken))
            let rejected = receipts[0].rejected.filter { !taken.contains($0.seq) }
            #expect(merged.rejected == rejected)
            #expect(merged.nextReport == receipts.compactMap(\.nextReport).min())
        }
    }

    @Test func `rejects a report that no promise accepts with its reason, and as a whole if it can be repeated`()
        throws
    {
        let receipt = Result<SessionReply, EngineError>.success(.reported(ReportReceipt(taken: [1])))
        let closed = Result<SessionReply, EngineError>.failure(.refused(.positionOutsideWindow))
        let off = Result<SessionReply, EngineError>.failure(.refused(.positionSharingOff))
        #expect(throws: EngineError.refused(.positionOutsideWindow)) { try Self.merged([]) }
        #expect(throws: EngineError.refused(.positionOutsideWindow)) { try Self.merged([closed, .failure(.retired)]) }
        #expect(throws: EngineError.refused(.positionSharingOff)) { try Self.merged([closed, off]) }
        #expect(try Self.merged([off, receipt, closed]).taken == [1])
        #expect(throws: EngineError.unavailable) { try Self.merged([receipt, .failure(.unavailable)]) }
        #expect(throws: Refusal.tooManyFixes(retryAfter: .seconds(3))) {
            try Self.merged([
                .failure(.refused(.tooManyFixes(retryAfter: .seconds(2)))), .failure(.unavailable), receipt,
                .failure(.refused(.tooManyFixes(retryAfter: .seconds(3)))),
            ])
        }
    }
}
