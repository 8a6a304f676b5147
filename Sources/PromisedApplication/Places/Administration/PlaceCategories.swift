internal import PromisedFormats
package import PromisedPlaces
package import PromisedSettings

/// The categories that an operator offers.
package enum PlaceCategories {
    /// Reads the file of the setting `places.categories`; without one, uses the built-in categories. Blocks for one
    /// small file.
    ///
    /// - Throws: ``PlaceCategoriesError``.
    package static func load(_ settings: ServerSettings.Places) throws(PlaceCategoriesError) -> CategoryTable {
        guard let path = settings.categories else { return .builtIn }
        do throws(FormatError) {
            return try CategoryFile.table(atPath: path)
        } catch {
            throw PlaceCategoriesError(path: path, reason: error.description)
        }
    }
}

/// Why the file of categories cannot be used.
package struct PlaceCategoriesError: Error, Hashable, Sendable, CustomStringConvertible {
    package let path: String
    /// The line and its fault.
    package let reason: String

    /// A sentence for people.
    package var description: String { "Cannot use the categories of \(path) (places.categories): \(reason)" }
}
