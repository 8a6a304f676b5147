import Foundation

/// The tests that the sources of the `Tests` folder declare.
struct TestCatalogue {
    /// `Suite/name of the test`.
    private(set) var names: Set<String> = []

    /// The tests of the repository.
    static func current() throws -> TestCatalogue {
        var catalogue = TestCatalogue()
        for file in try RepositoryText.files(below: "Tests", withExtension: "swift") {
            catalogue.read(try String(contentsOf: file, encoding: .utf8))
        }
        return catalogue
    }

    /// Adds the tests of one source: functions named in backticks after a `@Test`, inside the type that was declared
    /// last at the beginning of a line.
    mutating func read(_ source: String) {
        var suite = ""
        var isTest = false
        for line in source.split(separator: "\n") {
            let type = /(?:@Suite\b.*\s)?(?:final )?(?:struct|class|enum|actor|extension) (\w+).*/
            if let match = line.wholeMatch(of: type) {
                suite = String(match.1)
            } else if line.hasPrefix("    @Test") {
                isTest = true
            }
            if isTest, let match = line.firstMatch(of: /func `([^`]+)`/) {
                names.insert("\(suite)/\(match.1)")
                isTest = false
            }
        }
    }
}
