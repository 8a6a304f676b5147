internal import PromisedDomain
package import PromisedPlaces
package import PromisedProtocol
internal import SwiftProtobuf

extension WirePlaceDetails {
    /// The reply to `getPlace`.
    package init(_ details: PlaceDetails) {
        self.init()
        let place = details.place
        card = WirePlaceCard(details.card)
        names = place.names.prefix(DirectoryPlace.mostNames).map { WirePlaceName($0) }
        hours = place.listing.hours.text.bounded(characters: 300)
        week = details.week?.days.map { WireOpeningDay($0) } ?? []
        holidaysUnknown = details.week?.holidaysUnknown ?? false
        phone = place.phone.bounded(characters: 40)
        website = place.website.bounded(characters: 300)
        social = place.social.bounded(characters: 300)
        facts = place.facts.prefix(DirectoryPlace.mostFacts).map { WirePlaceFact($0) }
        timeZone = place.listing.hours.timeZone.bounded(characters: 64)
        updatedAt = WireTimestamp(place.updatedAt)
        myVisits = UInt32(clamping: details.myVisits)
        source = WirePlaceSource(details.source)
    }
}

extension WirePlaceName {
    init(_ name: DirectoryPlace.Name) {
        self.init()
        language = name.language.bounded(characters: 35)
        self.name = name.name.bounded(characters: 100)
    }
}

extension WirePlaceFact {
    init(_ fact: DirectoryPlace.Fact) {
        self.init()
        key = fact.key.bounded(characters: DirectoryPlace.longestKey)
        value = fact.value.bounded(characters: 100)
    }
}

extension WireOpeningDay {
    /// The opening hours of a day.
    package init(_ day: OpeningDay) {
        self.init()
        date = day.date.wireText
        opening = WireOpening.Value(day.state)
        spans = day.spans.map { span in
            .with {
                $0.from = span.from
                $0.to = span.to
            }
        }
    }
}

extension CivilDate {
    /// As `2026-11-21`, with a four-digit year.
    var wireText: String {
        func digits(_ number: Int64, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
    }
}
