import Foundation
import PromisedFuzzing
import PromisedTestMarks
import Testing

@Suite struct CorpusTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fuzz/Corpus")

    @Test(.defends("damaged-pictures"), arguments: FuzzTarget.all.filter { !$0.needsOwnProcess }.map(\.name))
    func `a target's property holds for its corpus, found cases included`(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        let corpus = try Corpus(contentsOf: Self.folder.appending(path: "\(name).txt"))
        #expect(corpus.inputs.count >= 5, "scripts/torture fuzz --keep writes a corpus")
        for input in corpus.inputs {
            #expect(throws: Never.self, "\(name).txt, line \(input.line)") { try target.run(input.bytes) }
        }
    }

    @Test func `each corpus belongs to a target, and all together take less than a megabyte`() throws {
        let files = try FileManager.default.contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil)
        #expect(Set(files.map(\.lastPathComponent)) == Set(FuzzTarget.all.map { "\($0.name).txt" }))
        let bytes = try files.reduce(0) { try $0 + Data(contentsOf: $1).count }
        #expect(bytes < 1_000_000)
    }

    @Test func `names of targets are unique, and inputs short`() {
        #expect(Set(FuzzTarget.all.map(\.name)).count == FuzzTarget.all.count)
        for target in FuzzTarget.all { #expect((1...16_384).contains(target.longest), "\(target.name)") }
    }
}
