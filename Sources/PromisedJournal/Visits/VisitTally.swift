internal import PromisedDomain
internal import PromisedPlaces

/// Counts visits in the order of their times.
struct VisitTally {
    /// The counted visits of each category.
    private(set) var categories: [CategoryID: Int] = [:]
    /// The time of the visit that reached each goal.
    private(set) var earned: [VisitBadge: Instant] = [:]
    /// The badges without a time. Checked for each visit, so their criteria are stored as numbers.
    private(set) var open: [VisitBadge]
    private var regionTally = RegionTally()
    /// The places, numbered in the order of their first visits. With 10,000 of them this is most of the memory.
    private var numbers: [CountableVisit.Spot: UInt32] = [:]
    private var keys: Set<Key> = []
    private var marketDays: Set<Key> = []
    private var together: Set<Key> = []
    private var onTime: Set<Key> = []

    /// Visits of the same place and day count as one.
    private struct Key: Hashable {
        let place: UInt32
        let day: Int32

        func hash(into hasher: inout Hasher) { hasher.combine(UInt64(place) << 32 | UInt64(UInt32(bitPattern: day))) }
    }

    /// An empty tally.
    ///
    /// - Parameter open: the badges that need a time.
    init(open: [VisitBadge] = VisitBadge.allCases) { self.open = open }

    /// The number of counted visits.
    var counted: Int { keys.count }
    var places: Int { numbers.count }
    /// The counted visits in each region of the first level.
    var regions: [RegionCode: Int] { regionTally.counts }

    /// Counts a visit that is not earlier than those before, unless it is based on simulated positions.
    mutating func add(_ visit: CountableVisit) {
        guard !visit.isMock else { return }
        let key = Key(place: number(of: visit.spot), day: visit.day)
        if keys.insert(key).inserted {
            if let category = visit.category { categories[category, default: 0] += 1 }
            if let region = visit.region { regionTally.add(region) }
        }
        // Counts up to the goal only.
        if visit.isMarketDay, marketDays.count < VisitBadge.marketDays5.goal { marketDays.insert(key) }
        if visit.isTogether, together.count < VisitBadge.together10.goal { together.insert(key) }
        if visit.isOnTime, onTime.count < VisitBadge.onTime10.goal { onTime.insert(key) }
        for badge in open where progress(of: badge) >= badge.goal {
            earned[badge] = visit.at
            open.removeAll { $0 == badge }
        }
    }

    private mutating func number(of spot: CountableVisit.Spot) -> UInt32 {
        if let number = numbers[spot] { return number }
        let number = UInt32(numbers.count)
        numbers[spot] = number
        return number
    }

    /// The number of visits, places or regions towards a badge.
    func progress(of badge: VisitBadge) -> Int {
        switch badge {
        case .firstVisit, .visits10, .visits30, .visits100: counted
        case .places10: places
        case .categories5: categories.count
        case .regions5: regionTally.count
        case .regionsKR: regionTally.provinces
        case .marketDays5: marketDays.count
        case .together10: together.count
        case .onTime10: onTime.count
        }
    }
}

/// Counts visits in regions of the first level.
private struct RegionTally {
    /// The number of regions that are provinces of Korea.
    private(set) var provinces = 0
    /// The regions, numbered in the order of their first visits.
    private var numbers: [RegionCode: Int] = [:]
    private var visits: [Int] = []
    /// The number of the region that each code belongs to.
    private var known: [Code: Int] = [:]

    /// A code by its bytes. A String compares canonical forms, which takes three times as long for Hangul.
    private struct Code: Hashable {
        let text: String

        static func == (left: Code, right: Code) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

        func hash(into hasher: inout Hasher) {
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    var count: Int { visits.count }
    var counts: [RegionCode: Int] { numbers.mapValues { visits[$0] } }

    mutating func add(_ region: RegionCode) {
        let code = Code(text: region.text)
        if let number = known[code] {
            visits[number] += 1
        } else {
            let number = number(of: region.parent ?? region)
            known[code] = number
            visits[number] += 1
        }
    }

    private mutating func number(of region: RegionCode) -> Int {
        if let number = numbers[region] { return number }
        let number = visits.count
        numbers[region] = number
        visits.append(0)
        if KoreanProvince(code: region) != nil { provinces += 1 }
        return number
    }
}
