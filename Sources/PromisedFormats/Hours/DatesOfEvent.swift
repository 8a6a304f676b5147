import PromisedDomain

/// The days of an event from two columns.
enum DatesOfEvent {
    /// The days as OpenStreetMap writes hours, such as `2026 Nov 20-2026 Dec 10`; without a last day it is the first one.
    /// Texts that are no dates in this order stay as they are, so that people can read them.
    static func hours(from first: String, to last: String) -> String {
        guard let start = Day(first), let end = last.isEmpty ? start : Day(last), start <= end else {
            return last.isEmpty ? first : "\(first) ~ \(last)"
        }
        return start == end ? start.text : "\(start.text)-\(end.text)"
    }

    /// A day such as 2026-11-20, 2026.11.20, 2026/11/20 or 20261120, also with a time behind it.
    private struct Day: Comparable {
        private let numbers: [Int]

        init?(_ text: String) {
            let date = text.split { $0 == " " || $0 == "T" }.first ?? ""
            var parts = date.split { "-./".contains($0) }
            if parts.count == 1, let only = parts.first, only.count == 8 {
                parts = [only.prefix(4), only.dropFirst(4).prefix(2), only.dropFirst(6)]
            }
            let numbers = parts.compactMap { Int($0) }
            guard numbers.count == 3, parts.count == 3, (1_900...9_999).contains(numbers[0]),
                CivilDate(year: Int64(numbers[0]), month: Int64(numbers[1]), day: Int64(numbers[2])).daysSince1970
                    != nil
            else { return nil }
            self.numbers = numbers
        }

        var text: String { "\(numbers[0]) \(KoreanMonths.names[numbers[1] - 1]) \(numbers[2])" }

        static func < (left: Day, right: Day) -> Bool { left.numbers.lexicographicallyPrecedes(right.numbers) }
    }
}
