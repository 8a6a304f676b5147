internal import PromisedDomain

/// A field of a place that violates its limits.
package struct PlaceProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The field, such as `name` or `facts.key`.
    package var field: String
    /// The mistake and the allowed values.
    package var reason: String

    package init(field: String, reason: String) {
        self.field = field
        self.reason = reason
    }

    /// The problem for people.
    package var description: String { "\(field) \(reason)" }
}

extension DirectoryPlace {
    /// The most further names.
    package static let mostNames = 4
    package static let mostFacts = 16
    /// The categories a place may have.
    package static let categoryCounts = 1...3
    /// The most characters of a fact's key.
    package static let longestKey = 24

    /// Checks all fields.
    ///
    /// - Throws: the first ``PlaceProblem``, in the order of the fields.
    package func check() throws(PlaceProblem) {
        try check("name", listing.name, 1...100)
        try check("address", listing.address, 0...200)
        guard listing.coordinate.isValid else {
            throw PlaceProblem(field: "coordinate", reason: "is invalid: use -90 to 90 and -180 to 180 degrees")
        }
        guard DirectoryPlace.categoryCounts.contains(listing.categories.count) else {
            throw PlaceProblem(field: "categories", reason: "are \(listing.categories.count): use 1 to 3")
        }
        try checkUnique("categories", listing.categories)
        try check("hours", listing.hours.text, 0...300)
        try PlaceSource.check(name: listing.source)
        try check("ref", ref, 0...100)
        try checkNames()
        try check("phone", phone, 0...40)
        try checkLink("website", website)
        try checkLink("social", social)
        try checkFacts()
    }

    private func checkNames() throws(PlaceProblem) {
        guard names.count <= DirectoryPlace.mostNames else {
            throw PlaceProblem(field: "names", reason: "are \(names.count): use at most \(DirectoryPlace.mostNames)")
        }
        try checkUnique("names", names.map(\.language))
        for name in names { try check("names", name.name, 1...100) }
    }

    private func checkFacts() throws(PlaceProblem) {
        guard facts.count <= DirectoryPlace.mostFacts else {
            throw PlaceProblem(field: "facts", reason: "are \(facts.count): use at most \(DirectoryPlace.mostFacts)")
        }
        try checkUnique("facts", facts.map(\.key))
        for fact in facts {
            try check("facts.key", fact.key, 1...DirectoryPlace.longestKey)
            let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
            guard fact.key.utf8.allSatisfy({ letters.contains($0) || $0 == UInt8(ascii: "-") }) else {
                throw PlaceProblem(field: "facts.key", reason: "is invalid: use a to z and -")
            }
            try check("facts", fact.value, 0...100)
        }
    }

    private func check(_ field: String, _ text: String, _ lengths: ClosedRange<Int>) throws(PlaceProblem) {
        let length = text.count
        guard lengths.contains(length) else {
            let allowed = "\(lengths.lowerBound) to \(lengths.upperBound)"
            throw PlaceProblem(field: field, reason: "has \(length) characters: use \(allowed)")
        }
    }

    private func checkUnique(_ field: String, _ values: [some Hashable]) throws(PlaceProblem) {
        guard Set(values).count == values.count else {
            throw PlaceProblem(field: field, reason: "has the same value twice: use each once")
        }
    }

    private func checkLink(_ field: String, _ link: String) throws(PlaceProblem) {
        try check(field, link, 0...300)
        let start = link.prefix(8).lowercased()
        guard link.isEmpty || start.hasPrefix("http://") || start.hasPrefix("https://") else {
            throw PlaceProblem(field: field, reason: "is no web address: begin with http:// or https://")
        }
    }
}
