import ArgumentParser
import PromisedClient
import PromisedProtocol

struct PlaceCreateCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Add one place to the directory.",
        discussion: """
            Example: promisectl place create --place 37.5703,126.9990 --place-name '광장시장' --category market/permanent \
            --hours 'Mo-Su 09:00-18:00'
            """
    )

    @Option(help: ArgumentHelp("An existing source; default: own, for the operator's places.", valueName: "name"))
    var source: String?

    @Option(help: ArgumentHelp("The id in the source; default: the server makes one.", valueName: "text"))
    var ref: String?

    @OptionGroup var place: PlaceOptions
    @OptionGroup var details: PlaceDetailOptions
    @OptionGroup var options: ServerCommandOptions

    func check(in context: Context) throws(Failure) {
        guard place.place != nil, place.placeName != nil, !details.category.isEmpty else {
            throw .usage("a place needs --place, --place-name and --category")
        }
    }

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        var row = details.changed(WirePlaceRow())
        row.place = place.changed(row.place)
        if let ref { row.ref = ref }
        return .place(try await administration.ask(.createPlace(row, in: source)))
    }
}

struct PlaceEditCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change one place.",
        discussion: """
            Options that are not given leave their fields as they are; the next import of the place's source replaces the \
            changes. Example: promisectl place edit 01932a4e-0000-7000-8000-00000000000a --hours 'Mo-Sa 10:00-20:00'
            """
    )

    @Argument(help: "The place's id.", transform: IdentifierArgument.place) var id: String
    @OptionGroup var place: PlaceOptions
    @OptionGroup var details: PlaceDetailOptions
    @OptionGroup var options: ServerCommandOptions

    func check(in context: Context) throws(Failure) {
        guard place.isGiven || details.isGiven else {
            throw .usage("nothing to change: give an option such as --place-name or --hours")
        }
    }

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        var row = details.changed(try await administration.ask(.showPlace(id)).row)
        let before = row.place.address
        row.place = place.changed(row.place)
        // Empty, so that the server determines the region of the new address instead of keeping the old one's.
        if row.place.address != before, details.region == nil { row.region = "" }
        return .place(try await administration.ask(.editPlace(id, to: row)))
    }
}
