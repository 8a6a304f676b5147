import ArgumentParser
import PromisedProtocol

/// Where a promise meets.
struct PlaceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Degrees north and east.", valueName: "lat,lon"))
    var place: CoordinateArgument?

    @Option(help: ArgumentHelp("What the place is called.", valueName: "name"))
    var placeName: String?

    @Option(help: "The place's address.")
    var address: String?

    /// Whether any of them was given.
    var isGiven: Bool { place != nil || placeName != nil || address != nil }

    /// A place with what was given in it.
    func changed(_ old: WirePlace) -> WirePlace {
        var new = old
        if let place {
            new.latitude = place.latitude
            new.longitude = place.longitude
        }
        if let placeName { new.name = placeName }
        if let address { new.address = address }
        return new
    }
}
