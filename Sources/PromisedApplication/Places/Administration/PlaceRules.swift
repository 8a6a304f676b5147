internal import PromisedAccess
internal import PromisedDomain
package import PromisedFormats
package import PromisedPlaces

/// Why a row was refused.
package struct PlaceRowProblem: Error, Hashable, Sendable {
    /// The reason as a stable word.
    package var reason: RowRefusal.Reason
    /// The field's name in the protocol.
    package var field: String
    /// A sentence for people, which does not repeat the text.
    package var message: String
}

/// Validates and cleans places before they enter the directory, by an import or by hand.
package struct PlaceRules: Sendable {
    private let categories: CategoryTable

    package init(categories: CategoryTable) { self.categories = categories }

    /// The place with cleaned texts, and with the region of a Korean address if it has none.
    ///
    /// - Throws: the first problem, in the order of name, position, categories, other texts.
    package func cleaned(_ place: ImportedPlace) throws(PlaceRowProblem) -> ImportedPlace {
        var place = place
        place.name = try clean(place.name, .name, reason: .noName)
        try check(place.coordinate)
        try check(place.categories)
        try cleanTexts(of: &place)
        try cleanLists(of: &place)
        place.region = place.region ?? KoreanAddress.region(of: place.address)
        return place
    }

    /// The source with cleaned texts. Throws `TextProblem`, `invalid` with the field.
    package func cleaned(_ source: PlaceSource) throws -> PlaceSource {
        do throws(PlaceProblem) {
            try PlaceSource.check(name: source.name)
        } catch {
            throw ApplicationError.refused(.invalid(field: "source.name"), message: "\(error).")
        }
        var source = source
        source.title = try TextRule.sourceTitle.clean(source.title)
        source.publisher = try TextRule.sourcePublisher.clean(source.publisher)
        source.licence = try TextRule.sourceLicence.clean(source.licence)
        source.url = try TextRule.sourceURL.clean(source.url)
        source.date = try TextRule.sourceDate.clean(source.date)
        guard source.url.isEmpty || WebAddress.isAddress(source.url) else {
            throw ApplicationError.refused(.invalid(field: "source.url"), message: WebAddress.advice("source.url"))
        }
        if !source.timeZone.isEmpty { source.timeZone = try TimeZoneName.clean(source.timeZone) }
        return source
    }

    // MARK: - Parts of a place

    private func check(_ coordinate: Coordinate) throws(PlaceRowProblem) {
        guard coordinate.isValid else {
            let field = (-90...90).contains(coordinate.latitude) ? "longitude" : "latitude"
            throw problem(.badPosition, field, "The position is not on the earth.")
        }
        guard !coordinate.isNull else {
            throw problem(.nullIsland, "latitude", "Latitude and longitude are both 0.")
        }
    }

    private func check(_ ids: [CategoryID]) throws(PlaceRowProblem) {
        // Checked before any comparison: comparing texts full of combining marks takes seconds.
        let longest = 2 * CategoryID.longestPart + 1
        guard ids.allSatisfy({ $0.text.utf8.count <= longest }) else {
            throw problem(.noCategory, "categories", "The id of a category has at most \(longest) characters.")
        }
        guard DirectoryPlace.categoryCounts.contains(ids.count), Set(ids).count == ids.count else {
            throw problem(.noCategory, "categories", "A place has 1 to 3 different categories.")
        }
        for id in ids where categories[id] == nil {
            throw problem(.noCategory, "categories", "No category is named \(id.text.prefix(50)).")
        }
    }

    private func cleanTexts(of place: inout ImportedPlace) throws(PlaceRowProblem) {
        place.ref = try clean(place.ref, .ref)
        place.address = try clean(place.address, .address)
        place.hours = try clean(place.hours, .hours)
        place.phone = try clean(place.phone, .phone)
        place.website = try cleanLink(place.website, .website)
        place.social = try cleanLink(place.social, .social)
        if let region = place.region, RegionCode(region.text) == nil {
            throw problem(.text, "region", "The region is not one or two names separated by a slash.")
        }
    }

    private func cleanLists(of place: inout ImportedPlace) throws(PlaceRowProblem) {
        guard place.names.count <= DirectoryPlace.mostNames else {
            throw problem(.text, "names", "There are more than \(DirectoryPlace.mostNames) further names.")
        }
        for index in place.names.indices {
            do throws(TextProblem) {
                place.names[index].language = try LanguageTag.clean(place.names[index].language)
            } catch {
                throw problem(.text, "names.language", "\(error).")
            }
            place.names[index].name = try clean(place.names[index].name, .furtherName)
        }
        guard place.facts.count <= DirectoryPlace.mostFacts else {
            throw problem(.text, "facts", "There are more than \(DirectoryPlace.mostFacts) facts.")
        }
        for fact in place.facts where fact.key.utf8.count > DirectoryPlace.longestKey {
            throw problem(.text, "facts.key", "The key of a fact has at most \(DirectoryPlace.longestKey) characters.")
        }
        for index in place.facts.indices { place.facts[index].value = try clean(place.facts[index].value, .fact) }
        do throws(PlaceProblem) {
            try place.checkLists()
        } catch {
            throw problem(.text, error.field, "\(error).")
        }
    }

    private func clean(
        _ text: String,
        _ rule: TextRule,
        reason: RowRefusal.Reason = .text
    ) throws(PlaceRowProblem) -> String {
        // Most optional texts in rows are empty: they need no rule and no copy.
        if text.isEmpty, rule.length.contains(0) { return text }
        do throws(TextProblem) {
            return try rule.clean(text)
        } catch {
            let isMissing = error.reason == .empty || error.reason == .tooShort(minimum: rule.length.lowerBound)
            throw problem(isMissing ? reason : .text, rule.field, "\(error).")
        }
    }

    private func cleanLink(_ text: String, _ rule: TextRule) throws(PlaceRowProblem) -> String {
        let link = try clean(text, rule)
        guard link.isEmpty || WebAddress.isAddress(link) else {
            throw problem(.text, rule.field, WebAddress.advice(rule.field))
        }
        return link
    }

    private func problem(_ reason: RowRefusal.Reason, _ field: String, _ message: String) -> PlaceRowProblem {
        PlaceRowProblem(reason: reason, field: field, message: message)
    }
}

extension ImportedPlace {
    /// Checks that languages and keys are distinct, and that keys are well-formed.
    fileprivate func checkLists() throws(PlaceProblem) {
        guard !names.isEmpty || !facts.isEmpty else { return }
        let source = PlaceSource(name: "checked", timeZone: "")
        let id = PlaceID(high: 0, low: 0)
        try DirectoryPlace(self, id: id, of: source, revision: 0, updatedAt: Instant(milliseconds: 0)).check()
    }
}

extension TextRule {
    fileprivate static let name = TextRule(field: "name", length: 1...100)
    fileprivate static let furtherName = TextRule(field: "names.name", length: 1...100)
    fileprivate static let ref = TextRule(field: "ref", length: 1...100)
    fileprivate static let address = TextRule(field: "address", length: 0...200)
    fileprivate static let hours = TextRule(field: "hours", length: 0...300)
    fileprivate static let phone = TextRule(field: "phone", length: 0...40)
    fileprivate static let website = TextRule(field: "website", length: 0...300)
    fileprivate static let social = TextRule(field: "social", length: 0...300)
    fileprivate static let fact = TextRule(field: "facts.value", length: 0...100)

    fileprivate static let sourceTitle = TextRule(field: "source.title", length: 0...100)
    fileprivate static let sourcePublisher = TextRule(field: "source.publisher", length: 0...100)
    fileprivate static let sourceLicence = TextRule(field: "source.licence", length: 0...100)
    fileprivate static let sourceURL = TextRule(field: "source.url", length: 0...300)
    fileprivate static let sourceDate = TextRule(field: "source.date", length: 0...40)
}
