import Foundation
import PromisedDomain
import PromisedPlaces

extension SettingForm where Value == String {
    /// The name of a time zone that this machine knows.
    static var timeZone: Self {
        Self(
            kind: "time zone",
            allowed: "an IANA time zone such as Asia/Seoul, or UTC",
            parse: { isTimeZone($0) ? $0 : nil },
            format: { $0 }
        )
    }

    /// Only names with this form are looked up, because the look-up opens files.
    private static func isTimeZone(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let hasShape = parts.allSatisfy { part in
            part.first?.isLetter == true
                && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_+-".contains($0)) }
        }
        return hasShape && (parts.count > 1 || text == "UTC") && TimeZone(identifier: text) != nil
    }
}

extension SettingForm where Value == HolidayCalendar {
    /// Any number of dates, separated by commas.
    static var holidays: Self {
        Self(
            kind: "list of dates",
            allowed: "dates such as 2026-01-01, without duplicates",
            separator: ",",
            parse: calendar,
            format: { $0.dates.map(text).joined(separator: ",") }
        )
    }

    @Sendable private static func calendar(_ text: String) -> HolidayCalendar? {
        guard text.contains(where: { !$0.isWhitespace }) else { return .empty }
        let items = text.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
        let dates = items.compactMap(date)
        guard dates.count == items.count, Set(items).count == items.count else { return nil }
        return HolidayCalendar(dates)
    }

    private static func date(_ text: String) -> CivilDate? {
        guard text.utf8.count == 10, let instant = Instant(rfc3339: text + "T00:00:00Z") else { return nil }
        return CivilDate(daysSince1970: instant.milliseconds.dividedFloor(by: 86_400_000))
    }

    @Sendable private static func text(_ date: CivilDate) -> String {
        let midnight = Instant(milliseconds: (date.daysSince1970 ?? 0) * 86_400_000)
        return String(midnight.rfc3339.prefix(10))
    }
}

extension SettingForm where Value == [MapLinkTemplate] {
    /// Any number of named URL templates, separated by `|`, which never occurs in URLs.
    static var mapLinks: Self {
        Self(
            kind: "list of map links",
            allowed: "NAME=TEMPLATE or ENGLISH/KOREAN=TEMPLATE, at most 8, separated by |; a template is a URL "
                + "(https:, http: or geo:) with {latitude} and {longitude}, or {name}",
            separator: "|",
            parse: templates,
            format: { $0.map(text).joined(separator: "|") }
        )
    }

    private static var mostLinks: Int { 8 }
    private static var longestName: Int { 40 }

    @Sendable private static func templates(_ text: String) -> [MapLinkTemplate]? {
        guard text.contains(where: { !$0.isWhitespace }) else { return [] }
        let items = text.split(separator: "|", omittingEmptySubsequences: false)
        let templates = items.compactMap(template)
        return templates.count == items.count && templates.count <= mostLinks ? templates : nil
    }

    private static func template(_ item: Substring) -> MapLinkTemplate? {
        guard let equals = item.firstIndex(of: "=") else { return nil }
        let names = item[..<equals].split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        let isNamed = names.allSatisfy { name in
            (1...longestName).contains(name.count)
                && name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        }
        guard isNamed, let english = names.first, let korean = names.last, names.count <= 2 else { return nil }
        let url = item[item.index(after: equals)...].trimmingCharacters(in: .whitespaces)
        // The setting's description of allowed values already covers the problems of a template.
        return try? MapLinkTemplate(name: BilingualName(english: english, korean: korean), template: url)
    }

    @Sendable private static func text(_ link: MapLinkTemplate) -> String {
        let isOne = link.name.english == link.name.korean
        return (isOne ? link.name.english : link.name.english + "/" + link.name.korean) + "=" + link.template
    }
}
