package import PromisedPlaces

extension ServerSettings {
    /// The directory of places (docs/places.md).
    package struct Places: Sendable, Hashable {
        /// The IANA time zone of places whose source has none.
        package var timeZone = "UTC"
        /// The public holidays of opening hours.
        package var holidays = HolidayCalendar.empty
        /// A YAML file of further categories; nil for only the built-in ones. Read once, at start.
        package var categories: String?
        /// The maps that share texts link to.
        package var mapLinks = MapLinkTemplate.defaults
    }

    static let placeSettings: [Setting] = [
        Setting(
            "places.time-zone",
            \.places.timeZone,
            .timeZone,
            "Time zone of the opening hours of places whose source names none."
        ),
        Setting(
            "places.holidays",
            \.places.holidays,
            .holidays,
            "Public holidays (PH in opening hours); in a year without any, opening hours treat all days as ordinary."
        ),
        Setting(
            "places.categories",
            \.places.categories,
            .optionalText,
            "YAML file of categories besides the built-in ones; loaded at start. None: only the built-in ones."
        ),
        Setting(
            "places.map-links",
            \.places.mapLinks,
            .mapLinks,
            "Maps that share texts link to, each as NAME=TEMPLATE or ENGLISH/KOREAN=TEMPLATE."
        ),
    ]
}
