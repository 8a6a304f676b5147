import Foundation
import PromisedProtocol
import PromisedWire
import Testing

/// The error codes in the words and the scripts of the web page are those of the schema.
@Suite struct PageCodeTests {
    private static let page = "Clients/Web"
    /// The prefix of the codes of the page's own client.
    private static let ofClient = "client"

    /// The keys of a language's words that begin with `prefix`, without it.
    private static func keys(after prefix: String, in language: String) throws -> Set<String> {
        let files = try RepositoryText.files(below: "\(page)/words", withExtension: "js").filter { file in
            ["\(language).js", "\(language)-"].contains(where: file.lastPathComponent.hasPrefix)
        }
        let keys = try files.flatMap { file in
            try String(contentsOf: file, encoding: .utf8).matches(of: /^ +'([^']+)':/.anchorsMatchLineEndings())
                .map { String($0.1) }
        }
        return Set(keys.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) })
    }

    @Test(arguments: ["en", "ko"])
    func `the page has a sentence for every error code`(language: String) throws {
        let keys = try Self.keys(after: "error.", in: language)
        let missing = ErrorCode.allCases.map(\.rawValue).filter { !keys.contains($0) }
        #expect(missing == [], "in \(language)")
    }

    @Test(arguments: ["en", "ko"])
    func `the page has no sentence for an unknown code`(language: String) throws {
        let invalid = "\(ErrorCode.requestInvalid.rawValue)."
        let keys = try Self.keys(after: "error.", in: language).filter { key in
            // Texts about the field of an invalid request are below its code.
            !key.hasPrefix(invalid) && !key.hasPrefix("\(Self.ofClient).")
        }
        #expect(keys.filter { ErrorCode(rawValue: $0) == nil } == [], "in \(language)")
    }

    @Test(arguments: ["en", "ko"])
    func `the page has a text for each reason of a rejected position`(language: String) throws {
        let range = try #require(FieldRange.of("code", in: "RejectedFix"))
        #expect(range.codes.count >= 5)
        #expect(try Self.keys(after: "refusal.", in: language) == Set(range.codes), "in \(language)")
    }

    @Test func `the page's scripts use only existing codes`() throws {
        // Without this, "error.code" is one word.
        let mention = /\bcode\b|PromisedError\(|new Set\(/.wordBoundaryKind(.simple)
        var named: Set<String> = []
        for file in try RepositoryText.files(below: Self.page, withExtension: "js") {
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            for line in lines where line.contains(mention) {
                // Keys of words have the shape of codes, and so have elements with a class.
                let rest = line.replacing(/\bt\('[^']*'/.wordBoundaryKind(.simple), with: "")
                named.formUnion(rest.matches(of: /'([a-z]+\.[a-z]+(?:-[a-z]+)*)'/).map { String($0.1) })
            }
        }
        let families = Set(ErrorCode.allCases.map { $0.rawValue.prefix { $0 != "." } })
        let codes = named.filter { families.contains($0.prefix { $0 != "." }) }
        #expect(codes.count > 20)
        #expect(codes.filter { ErrorCode(rawValue: $0) == nil } == [])
    }
}
