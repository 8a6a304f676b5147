package import PromisedPlaces

/// The titles of one user's folders, which are unique ignoring case.
package struct FolderTitles: Sendable {
    private static let untitled = BilingualName(english: "New folder", korean: "임시폴더")

    private var keys: Set<String> = []

    package init(_ titles: some Sequence<String> = []) {
        for title in titles { keys.insert(FolderTitles.key(of: title)) }
    }

    /// The form in which titles are compared.
    package static func key(of title: String) -> String { title.lowercased() }

    /// `true` if a folder has that title.
    package func isTaken(_ title: String) -> Bool { keys.contains(FolderTitles.key(of: title)) }

    /// The title of a folder without a chosen one: `New folder`, `New folder (2)`, …; in Korean `임시폴더`, `임시폴더(2)`, …;
    /// the first that is free.
    package func untitled(in language: BilingualName.Language) -> String {
        let title = FolderTitles.untitled[language]
        guard isTaken(title) else { return title }
        let blank = BilingualName(english: " ", korean: "")[language]
        var number = 2
        while isTaken("\(title)\(blank)(\(number))") { number += 1 }
        return "\(title)\(blank)(\(number))"
    }
}
