import Testing

@testable import PromisedGateway

@Suite struct PieceWindowTests {
    private static let start = ContinuousClock.now

    private static func at(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }

    @Test(arguments: [1, 2, 4])
    func `accepts exactly the allowed number of unanswered requests`(most: Int) {
        var window = PieceWindow(most: most)
        // All of them arrived at 0; the server answers one each second.
        for number in 1...most {
            #expect(window.admits(requestAt: Self.at(0)))
            window.answered(at: Self.at(number))
        }
        #expect(!window.admits(requestAt: Self.at(0)))
        // The first answer makes room for one new request.
        #expect(window.admits(requestAt: Self.at(1)))
        window.answered(at: Self.at(most + 1))
        #expect(!window.admits(requestAt: Self.at(1)))
        #expect(window.admits(requestAt: Self.at(2)))
    }

    @Test(arguments: [1, 2, 4])
    func `always admits sequential requests`(most: Int) {
        var window = PieceWindow(most: most)
        for number in 1...20 {
            #expect(window.admits(requestAt: Self.at(number)))
            window.answered(at: Self.at(number))
        }
    }
}
