/// Days that a Korean text names.
struct KoreanDays {
    /// A weekday by its numbers in the month; -1 for the last.
    struct Numbered {
        /// 0 is Monday.
        var weekday: Int
        var numbers: [Int]
    }

    /// A day of every year.
    struct Date {
        var month: Int
        var day: Int
    }

    /// Bit 0 is Monday.
    var weekdays: UInt8 = 0
    var numbered: [Numbered] = []
    var dates: [Date] = []
    var hasHolidays = false
    /// `true` for 설날 and 추석.
    var hasFeast = false
    /// `true` for 평일, which ends at holidays.
    var isWorkdays = false

    /// `true` if no day is named.
    var isEmpty: Bool { weekdays == 0 && numbered.isEmpty && dates.isEmpty && !hasHolidays && !hasFeast }
    /// `true` for all days of the week, named or not.
    var isEveryDay: Bool { isEmpty || weekdays == 0x7F }

    /// The days as OpenStreetMap writes them: dates and weekdays each for a rule of its own, since days of one rule have
    /// to meet both. Empty without any day but those of the lunar calendar; one empty text for every day.
    func selectors(in months: KoreanMonths?) -> [String] {
        var names = Self.ranges(of: weekdays)
        names += numbered.map { "\(Self.names[$0.weekday])[\($0.numbers.map(String.init).joined(separator: ","))]" }
        if hasHolidays { names.append("PH") }
        let dates = dates.map { "\(KoreanMonths.names[$0.month - 1]) \($0.day)" }.joined(separator: ",")
        let parts = [months?.text ?? "", names.joined(separator: ",")].filter { !$0.isEmpty }
        if isEmpty { return [parts.joined(separator: " ")] }
        return [dates, names.isEmpty ? "" : parts.joined(separator: " ")].filter { !$0.isEmpty }
    }

    private static let names = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]

    /// `Mo-Fr`, `Sa`: neighbours of three and more as a range.
    private static func ranges(of bits: UInt8) -> [String] {
        var texts: [String] = []
        var day = 0
        while day < 7 {
            guard bits >> UInt8(day) & 1 == 1 else {
                day += 1
                continue
            }
            var last = day
            while last < 6, bits >> UInt8(last + 1) & 1 == 1 { last += 1 }
            if last - day > 1 {
                texts.append("\(names[day])-\(names[last])")
            } else {
                texts += names[day...last]
            }
            day = last + 1
        }
        return texts
    }
}

/// Months of every year, from one to another.
struct KoreanMonths {
    var first: Int
    var last: Int

    static let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    /// The days of each month in a leap year.
    static let longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

    /// The months as OpenStreetMap writes them.
    var text: String {
        first == last ? Self.names[first - 1] : "\(Self.names[first - 1])-\(Self.names[last - 1])"
    }
}
