import PromisedCommandLine
import PromisedPlaces
import PromisedProtocol

extension Report {
    static func places(_ page: WirePlaces) -> Report {
        list(
            page,
            of: page.cards,
            ["NAME", "CATEGORY", "REGION", "STATE", "SOURCE", "ADDRESS", "ID"],
            whenEmpty: "no places"
        ) { card in
            [
                "\(card.place.name)", "\(card.categories.joined(separator: ", "))", "\(card.region)",
                Table.Cell(card.opening.word, card.opening.tone), "\(card.sourceName)", "\(card.place.address)",
                Table.Cell(card.placeID, .faint),
            ]
        }
    }

    static func place(_ place: WireAdminPlace) -> Report {
        Report(Document(place)) { style in
            var fields = FieldList()
            let row = place.row
            fields.add("name", row.place.name, .heading)
            for name in row.names { fields.add("name in \(name.language.printable)", name.name) }
            fields.add("id", place.placeID)
            fields.add("source", place.sourceName)
            fields.add("id in source", row.ref)
            fields.add("position", "\(row.place.latitude), \(row.place.longitude)")
            fields.add("address", row.place.address)
            fields.add("region", row.region)
            fields.add("categories", row.categories.joined(separator: ", "))
            fields.add("hours", row.hours)
            if !row.hours.isEmpty, !place.hoursReadable { fields.add("problem", "the hours cannot be read", .warning) }
            fields.add("time zone", place.timeZone)
            fields.add("phone", row.phone)
            fields.add("website", row.website)
            fields.add("social", row.social)
            for fact in row.facts { fields.add(fact.key.printable, fact.value) }
            fields.add("updated", MomentText.full(place.updatedAt, if: place.hasUpdatedAt))
            fields.add("removed", MomentText.full(place.removedAt, if: place.hasRemovedAt), .warning)
            return fields.text(style)
        }
    }

    static func placeSources(_ reply: WireAdminSources) -> Report {
        list(
            reply,
            of: reply.sources,
            ["SOURCE", .number("PLACES"), "TITLE", "LICENCE", "DATE", "STATE"],
            whenEmpty: "no sources: import places with promisectl place import"
        ) { source in
            [
                "\(source.source.name)", "\(source.source.count)", "\(source.source.title)",
                "\(source.source.licence)", "\(source.source.date)",
                Table.Cell(source.importing ? "importing" : "", .warning),
            ]
        }
    }

    static func placeSource(_ source: WireAdminSource) -> Report {
        Report(Document(source)) { style in
            var fields = FieldList()
            fields.add("source", source.source.name, .heading)
            fields.add("places", "\(source.source.count)")
            fields.add("title", source.source.title)
            fields.add("publisher", source.source.publisher)
            fields.add("licence", source.source.licence)
            fields.add("page", source.source.url)
            fields.add("date", source.source.date)
            fields.add("time zone", source.timeZone)
            fields.add("state", source.importing ? "importing" : "", .warning)
            return fields.text(style)
        }
    }

    static func removedSource(_ reply: WireAdminRemovedPlaces, _ name: String) -> Report {
        Report(Document(reply)) { style in
            style.paint("removed \(name.printable) with \(MeasureText.count(Int(reply.count), "place"))", .good)
        }
    }

    /// The categories in the order of the operator.
    static func categories(_ table: CategoryTable) -> Report {
        let rows = table.categories.map(CategoryDocument.init)
        return Report(Document(["categories": rows]), items: rows.map { Document($0) }) { style in
            Table(["ID", "NAME", "IN KOREAN", "ICON"], of: rows) { row in
                ["\(row.id)", "\(row.en)", "\(row.ko)", "\(row.icon)"]
            }.text(style)
        }
    }
}

/// A category for machines; the keys are those of the file of categories.
private struct CategoryDocument: Encodable {
    let id: String
    let en: String
    let ko: String
    let icon: String

    init(_ category: PlaceCategory) {
        id = category.id.text
        en = category.name.english
        ko = category.name.korean
        icon = category.icon
    }
}
