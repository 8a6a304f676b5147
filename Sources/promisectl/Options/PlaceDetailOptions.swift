import ArgumentParser
import PromisedProtocol

/// The details of a place besides its name, address and position.
struct PlaceDetailOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The category, such as cafe; up to three, the principal one first. Replaces all earlier ones.",
            valueName: "id"
        )
    )
    var category: [String] = []

    @Option(help: ArgumentHelp("The region, such as KR-11/종로구.", valueName: "code")) var region: String?

    @Option(help: ArgumentHelp("The opening hours, as OpenStreetMap writes them.", valueName: "hours"))
    var hours: String?

    @Option(help: ArgumentHelp("The telephone number.", valueName: "number")) var phone: String?
    @Option(help: ArgumentHelp("The web page.", valueName: "url")) var website: String?
    @Option(help: ArgumentHelp("The page in a social network.", valueName: "url")) var social: String?

    @Option(
        help: ArgumentHelp(
            "A name in another language, such as en=Market; repeatable. Replaces that language's name.",
            valueName: "language=name"
        )
    )
    var name: [PairArgument] = []

    @Option(
        help: ArgumentHelp(
            "A further detail, such as opened=1905; repeatable. Replaces the detail with that key.",
            valueName: "key=text"
        )
    )
    var fact: [PairArgument] = []

    /// `true` if any option was specified.
    var isGiven: Bool {
        !category.isEmpty || !name.isEmpty || !fact.isEmpty
            || [region, hours, phone, website, social].contains { $0 != nil }
    }

    /// The place with its details overridden by these options.
    func changed(_ old: WirePlaceRow) -> WirePlaceRow {
        var new = old
        if !category.isEmpty { new.categories = category }
        if let region { new.region = region }
        if let hours { new.hours = hours }
        if let phone { new.phone = phone }
        if let website { new.website = website }
        if let social { new.social = social }
        for pair in name { new.set(name: pair.value, in: pair.key) }
        for pair in fact { new.set(fact: pair.value, of: pair.key) }
        return new
    }
}

/// `en=Market`: a key, which is not empty, and a value, which may contain equals signs.
struct PairArgument: ExpressibleByArgument {
    let key: String
    let value: String

    init?(argument: String) {
        guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
        key = String(argument[..<equals])
        value = String(argument[argument.index(after: equals)...])
    }
}

extension WirePlaceRow {
    /// Replaces or adds a name; an empty one removes it.
    fileprivate mutating func set(name: String, in language: String) {
        names.removeAll { $0.language == language }
        guard !name.isEmpty else { return }
        var new = WirePlaceName()
        new.language = language
        new.name = name
        names.append(new)
    }

    /// Replaces or adds a detail; an empty one removes it.
    fileprivate mutating func set(fact value: String, of key: String) {
        facts.removeAll { $0.key == key }
        guard !value.isEmpty else { return }
        var new = WirePlaceFact()
        new.key = key
        new.value = value
        facts.append(new)
    }
}
