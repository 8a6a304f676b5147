package import PromisedPlaces

/// The file of the categories that an operator adds to the built-in ones.
///
/// It is YAML; `config/categories.yaml` documents every key.
package enum CategoryFile {
    /// The most bytes of a file.
    package static let longest = 65_536

    /// The built-in categories, and those of a file in its order.
    ///
    /// - Throws: ``FormatError/badPreset(line:reason:)`` with the line of the unknown or invalid part.
    package static func table(yaml text: String) throws(FormatError) -> CategoryTable {
        guard text.utf8.count <= longest else {
            throw .badPreset(line: 0, reason: "the file of categories has more than \(longest) bytes")
        }
        let root = try PresetNode(yaml: text, of: "file of categories", with: "categories").members(["categories"])
        var categories: [PlaceCategory] = []
        for node in try root["categories"]?.elements() ?? [] { categories.append(try category(node)) }
        do throws(CategoryProblem) {
            return try CategoryTable(adding: categories)
        } catch {
            throw .badPreset(line: 0, reason: error.description)
        }
    }

    /// The built-in categories, and those of the file at a path. Blocks while reading a small file.
    ///
    /// - Throws: the errors of ``table(yaml:)``, ``FormatError/unreadable(reason:)`` and
    ///   ``FormatError/unsuitable(reason:)``; the caller adds the path.
    package static func table(atPath path: String) throws(FormatError) -> CategoryTable {
        let yaml = try TextFile.text(
            atPath: path,
            as: "a file of categories in YAML",
            orAs: [.json],
            advice: "name another file"
        )
        return try table(yaml: yaml)
    }

    private static func category(_ node: PresetNode) throws(FormatError) -> PlaceCategory {
        let members = try node.members(["id", "en", "ko", "icon"])
        guard let id = try members["id"]?.text(), let english = try members["en"]?.text() else {
            throw node.fault("a category needs an id and an English name (en)")
        }
        let (korean, icon) = (try members["ko"]?.text() ?? "", try members["icon"]?.text() ?? "")
        do throws(CategoryProblem) {
            return try PlaceCategory(id: id, english: english, korean: korean, icon: icon)
        } catch {
            throw node.fault(error.description)
        }
    }
}
