internal import PromisedAccess
internal import PromisedDomain
package import PromisedPlaces

/// The places requested by a user.
package struct PlaceChoice: Sendable, Hashable {
    /// The filter; ``favouritesOnly`` determines its favourites.
    package var filter: PlaceFilter
    /// `true` for only the user's favourites.
    package var favouritesOnly: Bool

    /// By default all places.
    package init(_ filter: PlaceFilter = PlaceFilter(), favouritesOnly: Bool = false) {
        self.filter = filter
        self.favouritesOnly = favouritesOnly
    }

    /// - Throws: `invalid` with the field, for a filter with too many values.
    func check() throws(ApplicationError) {
        do throws(PlaceProblem) {
            try filter.check()
        } catch {
            throw ApplicationError(error, in: "filter")
        }
    }
}

extension PlaceQuery {
    /// The query for a text as typed. Throws `invalid` for the field `text`, with a sentence that does not repeat it.
    package init(typed text: String) throws {
        try TextWeight.check(text, of: "text", longest: 16 * PlaceQuery.lengths.upperBound)
        do throws(Problem) {
            try self.init(text)
        } catch {
            throw ApplicationError.refused(.invalid(field: "text"), message: "Cannot search: \(error).")
        }
    }
}

extension ApplicationError {
    /// The refusal for a field of a place or filter; `path` names what contains the field.
    init(_ problem: PlaceProblem, in path: String = "") {
        let field = path.isEmpty ? problem.field : "\(path).\(problem.field)"
        self = .refused(.invalid(field: field), message: "\(field) \(problem.reason).")
    }
}
