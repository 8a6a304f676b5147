/// The titles of courses, which are unique in their folder ignoring case.
package enum CourseTitle {
    /// The form in which titles are compared.
    package static func key(of title: String) -> String { FolderTitles.key(of: title) }

    /// The title of a course without a chosen one: the suggestion, or with ` (2)`, ` (3)`, … the first that is free.
    /// The suggestion is truncated if the number would exceed the length of a title.
    ///
    /// - Parameters:
    ///   - suggestion: not empty; truncated to the length of a title.
    ///   - isTaken: `true` if a course of the folder has the title with this key.
    package static func free(_ suggestion: String, isTaken: (String) throws -> Bool) rethrows -> String {
        let most = CourseLimits.title.upperBound
        var (title, number) = (String(trimmed(suggestion.prefix(most))), 2)
        while try isTaken(key(of: title)) {
            let ending = " (\(number))"
            title = trimmed(suggestion.prefix(most - ending.count)) + ending
            number += 1
        }
        return title
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.last == " " { text.removeLast() }
        return text
    }
}
