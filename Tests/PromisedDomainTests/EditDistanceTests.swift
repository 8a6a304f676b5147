import PromisedDomain
import Testing

@Suite struct EditDistanceTests {
    @Test(arguments: [
        ("", "", 0), ("abc", "", 3), ("", "ab", 2), ("abc", "abc", 0), ("kitten", "sitting", 3), ("shwo", "show", 1),
        ("ab", "ba", 1), ("abc", "cab", 2),
    ])
    func `the distance counts edits and exchanges`(left: String, right: String, distance: Int) {
        #expect(EditDistance.between(left, right) == distance)
        #expect(EditDistance.between(right, left) == distance)
    }

    @Test(
        arguments: [
            ("shwo", "show"), ("lst", "list"), ("stop", nil), ("watch", "watch"), ("wtahc", nil), ("", nil),
            // Of two at the same distance the first.
            ("lish", "list"),
        ] as [(String, String?)]
    )
    func `suggests a word within a third of the length`(word: String, suggestion: String?) {
        #expect(EditDistance.nearest(to: word, among: ["list", "lisp", "show", "watch"]) == suggestion)
    }
}
