/// The traits of places that filters use. Places with the same categories, region and source form a class.
struct PlaceTraits: Sendable {
    /// The places with the same categories, region and source.
    struct Class: Sendable {
        /// Numbers of categories, the principal one first.
        var categories: [UInt8]
        /// The number of the region, or -1.
        var region: Int
        /// The number of the source.
        var source: Int
    }

    /// The most categories of an index. Further ones are dropped.
    static let mostCategories = 64

    /// The classes of all rows.
    private(set) var classes: [UInt32] = []
    /// The numbers of the hours of all rows.
    private(set) var hours: [UInt32] = []
    /// The versions in which the rows changed.
    private(set) var revisions: [UInt32] = []

    /// The classes by number.
    private(set) var list: [Class] = []
    /// The categories by number, in ascending order.
    private(set) var categories: [CategoryID] = []
    /// The sources by number.
    private(set) var sources: [String] = []
    /// The regions by number.
    private(set) var regions: [RegionCode] = []
    /// The hours by number.
    private(set) var distinctHours: [PlaceHours] = []
    /// The features of the classes.
    private(set) var features = ClassFeatures()

    /// The traits that a builder has collected.
    init(_ builder: PlaceTraitsBuilder, order: [UInt32]) {
        classes = order.map { builder.classes[Int($0)] }
        hours = order.map { builder.hours[Int($0)] }
        revisions = order.map { builder.revisions[Int($0)] }
        sources = builder.sources.texts
        regions = builder.regions.texts.map(RegionCode.init(text:))
        distinctHours = builder.distinctHours

        let texts = builder.categories.texts
        let ranks = texts.indices.sorted { texts[$0] < texts[$1] }
        categories = ranks.map { CategoryID(text: texts[$0]) }
        var numbers = [UInt8](repeating: 0, count: texts.count)
        for (rank, number) in ranks.enumerated() { numbers[number] = UInt8(rank) }
        list = builder.list.map { kind in
            Class(categories: kind.categories.map { numbers[Int($0)] }, region: kind.region, source: kind.source)
        }
        features = ClassFeatures(list, categoryCount: categories.count)
    }

    /// The number of features: the categories, then the sources.
    var featureCount: Int { categories.count + sources.count }

    /// The size of the columns in bytes.
    var byteCount: Int { classes.count * 12 + list.count * 64 + distinctHours.count * 80 }
}

/// The features of each class: the numbers of its categories, then the number of its source, which counts on from the
/// categories.
struct ClassFeatures: Sendable {
    private var features: [UInt16] = []
    /// Where the features of each class begin, and the end of the last one.
    private var offsets: [UInt32] = [0]

    init(_ list: [PlaceTraits.Class] = [], categoryCount: Int = 0) {
        for kind in list {
            features += kind.categories.map(UInt16.init)
            features.append(UInt16(categoryCount + kind.source))
            offsets.append(UInt32(features.count))
        }
    }

    /// Calls `body` with each feature of a class.
    @inline(__always)
    func forEach(of kind: Int, _ body: (Int) -> Void) {
        for place in Int(offsets[kind])..<Int(offsets[kind + 1]) { body(Int(features[place])) }
    }
}

/// Collects the traits of places in the order in which they are added.
struct PlaceTraitsBuilder {
    private(set) var classes: [UInt32] = []
    private(set) var hours: [UInt32] = []
    private(set) var revisions: [UInt32] = []
    private(set) var list: [PlaceTraits.Class] = []
    private(set) var distinctHours = [PlaceHours()]

    private(set) var categories = TextPool()
    private(set) var sources = TextPool()
    private(set) var regions = TextPool()
    private var hoursTexts = TextPool()
    private var timeZones = TextPool()
    /// The source of the previous place; no place has the empty one.
    private var lastSource = (name: "", number: 0)
    /// The time zone of the previous place with hours.
    private var lastZone = (name: "", number: 0)
    /// Classes by the numbers of their parts.
    private var classNumbers: [UInt64: UInt32] = [:]
    /// Hours by the numbers of text and zone.
    private var hoursNumbers: [UInt64: UInt32] = [0: 0]

    init(expectedCount: Int) {
        classes.reserveCapacity(expectedCount)
        hours.reserveCapacity(expectedCount)
        revisions.reserveCapacity(expectedCount)
        // Missing hours have number 0.
        _ = hoursTexts.number(of: "")
        _ = timeZones.number(of: "")
    }

    mutating func append(_ place: PlaceListing) {
        precondition((0...Int(UInt32.max)).contains(place.revision), "A revision is a number of 32 bits")
        classes.append(number(ofClass: place))
        hours.append(number(ofHours: place.hours))
        revisions.append(UInt32(place.revision))
    }

    private mutating func number(ofClass place: PlaceListing) -> UInt32 {
        let region = place.region.map { regions.number(of: $0.text) } ?? -1
        // Most places have the same source as the previous one.
        if place.source != lastSource.name { lastSource = (place.source, sources.number(of: place.source)) }
        let source = lastSource.number
        // Three categories of 7 bits, 12 bits of the source, the rest for the region.
        var key = UInt64(region + 1) << 33 | UInt64(source) << 21
        precondition(source < 1 << 12, "A directory has at most 4,096 sources")
        for (place, category) in place.categories.prefix(3).enumerated() {
            guard let number = number(ofCategory: category) else { continue }
            key |= UInt64(number + 1) << UInt64(7 * place)
        }
        if let known = classNumbers[key] { return known }
        let categories = [0, 7, 14].compactMap { UInt8(exactly: Int(key >> UInt64($0) & 0x7F) - 1) }
        list.append(PlaceTraits.Class(categories: categories, region: region, source: source))
        classNumbers[key] = UInt32(list.count - 1)
        return UInt32(list.count - 1)
    }

    private mutating func number(ofCategory category: CategoryID) -> Int? {
        let number = categories.number(of: category.text)
        return number < PlaceTraits.mostCategories ? number : nil
    }

    private mutating func number(ofHours given: PlaceHours) -> UInt32 {
        guard !given.text.isEmpty else { return 0 }
        if given.timeZone != lastZone.name { lastZone = (given.timeZone, timeZones.number(of: given.timeZone)) }
        let key = UInt64(hoursTexts.number(of: given.text)) << 32 | UInt64(lastZone.number)
        if let known = hoursNumbers[key] { return known }
        distinctHours.append(given)
        hoursNumbers[key] = UInt32(distinctHours.count - 1)
        return UInt32(distinctHours.count - 1)
    }
}
