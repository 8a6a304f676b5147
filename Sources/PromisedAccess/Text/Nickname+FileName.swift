import Foundation

extension Nickname {
    /// A nickname for each file, in the same order: the name without its ending, `_` for every character a nickname
    /// cannot hold, at most 20 characters, at least 2, each different from the others ignoring case.
    ///
    /// A name that is taken by an earlier file gets `_2`, `_3` and so on, in place of its last characters where it
    /// would become too long. The same names in the same order give the same nicknames.
    ///
    /// - Parameter fileNames: names or paths of files; of a path only the last part counts.
    package static func unique(forFileNames fileNames: [String]) -> [Nickname] {
        var taken: Set<String> = []
        return fileNames.map { name in
            let nickname = firstFree(startingWith: base(forFileName: name), among: taken)
            taken.insert(nickname.key)
            return nickname
        }
    }

    private static func firstFree(startingWith base: String, among taken: Set<String>) -> Nickname {
        var candidate = Nickname(clean: base)
        var number = 2
        while taken.contains(candidate.key) {
            let ending = "_\(number)"
            candidate = Nickname(clean: base.prefix(length.upperBound - ending.count) + ending)
            number += 1
        }
        return candidate
    }

    private static func base(forFileName fileName: String) -> String {
        let name = fileName.split(separator: "/").last.map(String.init) ?? ""
        var stem = name[...]
        if let dot = name.lastIndex(of: "."), dot != name.startIndex { stem = name[..<dot] }
        let characters = String(stem).precomposedStringWithCanonicalMapping.map { isAllowed($0) ? $0 : "_" }
        let padding = String(repeating: "_", count: max(0, length.lowerBound - characters.count))
        return String(characters.prefix(length.upperBound)) + padding
    }
}
