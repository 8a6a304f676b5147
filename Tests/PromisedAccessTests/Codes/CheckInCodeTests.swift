import PromisedDomain
import Testing

@testable import PromisedAccess

@Suite struct CheckInCodeTests {
    private static let promise = PromiseID(high: 1, low: 2)
    private static let now = Instant(milliseconds: 1_795_514_400_000)

    @Test(arguments: [(95, true), (96, true), (97, false)])
    func `a code with spaces around it has at most 96 bytes`(bytes: Int, isGood: Bool) throws {
        let codes = CheckInCodes(try #require(SigningKey(bytes: Array(0..<32))))
        let code = codes.code(of: Self.promise, at: Self.now).text
        let typed = code + String(repeating: " ", count: bytes - code.utf8.count)
        #expect(codes.accepts(typed, for: Self.promise, at: Self.now) == isGood)
    }
}
