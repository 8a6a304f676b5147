internal import PromisedAccess
internal import PromisedDomain
internal import PromisedFormats
package import PromisedJournal
internal import PromisedPlaces

/// A course to be recommended by an administrator, without its way.
package struct RecommendedCourseOrder: Hashable, Sendable {
    /// The most characters of publisher and licence.
    private static let longestName = 100
    /// The most characters of the URL.
    private static let longestURL = 300

    /// 1–60 characters.
    package var title: String
    /// The code of its region, such as `KR-11`.
    package var region: String
    /// The publisher, 1–100 characters.
    package var source: String
    /// The licence, 1–100 characters.
    package var licence: String
    /// The means of moving that suits it.
    package var activity: Activity
    /// An http or https URL of at most 300 characters, or empty.
    package var url: String
    /// The size of the GPX file in bytes.
    package var bytes: Int64

    /// The fields as received.
    package init(
        title: String,
        region: String,
        source: String,
        licence: String,
        activity: Activity = .other,
        url: String = "",
        bytes: Int64
    ) {
        self.title = title
        self.region = region
        self.source = source
        self.licence = licence
        self.activity = activity
        self.url = url
        self.bytes = bytes
    }

    /// The course with its texts cleaned. Throws `TextProblem`, `invalid` with the field, `fileTooLarge`.
    func cleaned() throws -> RecommendedCourseOrder {
        var order = self
        let name = 1...RecommendedCourseOrder.longestName
        order.title = try TextRule.title.clean(title)
        order.region = try TextRule(field: "region", length: 1...2 * RegionCode.longestLevel + 1).clean(region)
        order.source = try TextRule(field: "sourceName", length: name).clean(source)
        order.licence = try TextRule(field: "licence", length: name).clean(licence)
        order.url = try TextRule(field: "url", length: 0...RecommendedCourseOrder.longestURL).clean(url)
        guard RegionCode(order.region) != nil else {
            let message = "region must be the code of a region such as KR-11."
            throw ApplicationError.refused(.invalid(field: "region"), message: message)
        }
        guard order.url.isEmpty || WebAddress.isAddress(order.url) else {
            throw ApplicationError.refused(.invalid(field: "url"), message: WebAddress.advice("url"))
        }
        guard bytes > 0 else { throw Refusal.invalid(field: "bytes") }
        guard bytes <= StoredFile.Kind.track.mostBytes ?? 0 else { throw Refusal.fileTooLarge }
        return order
    }

    /// The language of the server's own words in the course, chosen by its region.
    var language: BilingualName.Language { region.hasPrefix("KR") ? .korean : .english }

    /// The course of the order, with the way of a draft.
    func draft(with way: CourseDraft) -> CourseDraft {
        var draft = way
        draft.source = .operator
        draft.notes.title = title
        draft.isTitleChosen = true
        draft.attribution = CourseAttribution(source: source, licence: licence, region: RegionCode(region))
        guard !url.isEmpty else { return draft }
        // Truncates the file's description to make room for the URL, which has its own line.
        let memo = String(way.notes.memo.prefix(CourseLimits.memo - url.count - 1))
        draft.notes.memo = memo.isEmpty ? url : "\(memo)\n\(url)"
        return draft
    }
}
