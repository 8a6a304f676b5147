import Testing

@testable import PromisedGateway

@Suite struct SharedTextsTests {
    /// The address of a text's characters, for more than fifteen bytes.
    private static func storage(of text: String) throws -> UnsafeRawPointer {
        try #require(text.utf8.withContiguousStorageIfAvailable { UnsafeRawPointer($0.baseAddress) } ?? nil)
    }

    @Test func `equal texts share memory`() throws {
        let texts = SharedTexts()
        let first = texts.shared(["promised-phone", "1.0", "linux"].joined(separator: " "))
        let other = ["promised-phone", "1.0", "linux"].joined(separator: " ")
        #expect(try Self.storage(of: other) != Self.storage(of: first))
        #expect(try Self.storage(of: texts.shared(other)) == Self.storage(of: first))
    }

    @Test func `stores few of many different texts and returns each unchanged`() {
        let texts = SharedTexts()
        var most = 0
        for number in 0..<(3 * SharedTexts.limit) {
            let text = "a program of its own, number \(number)"
            #expect(texts.shared(text) == text)
            most = max(most, texts.count)
        }
        #expect(most == SharedTexts.limit)
    }
}
