import Foundation
import PromisedTestSupport
import Testing

@Suite struct TransportArticleTests {
    @Test func `compiles every piece of code in the article`() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let article = try String(
            contentsOf: tests.deletingLastPathComponent().deletingLastPathComponent()
                .appendingPathComponent("Sources/PromisedTransport/PromisedTransport.docc/PromisedTransport.md"),
            encoding: .utf8
        )
        let compiled = try String(contentsOf: tests.appendingPathComponent("TransportArticle.swift"), encoding: .utf8)
        let blocks = CodeBlock.all("swift", in: article)
        #expect(blocks.count == 4)
        for block in blocks { #expect(block.occurs(in: compiled), "\(block.text)") }
    }
}
