internal import PromisedDomain

/// The words of share texts in one language.
struct ShareWords: Hashable, Sendable {
    let language: BilingualName.Language

    var phone: String { BilingualName(english: "Phone", korean: "전화")[language] }
    var website: String { BilingualName(english: "Website", korean: "웹사이트")[language] }
    var social: String { BilingualName(english: "Social", korean: "SNS")[language] }

    private static let englishDays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    private static let koreanDays = ["월", "화", "수", "목", "금", "토", "일"]
    private static let englishMonths = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// A line with a label; nil for an empty value.
    func line(_ label: String, _ value: String) -> String? { value.isEmpty ? nil : "\(label): \(value)" }

    /// Today's opening hours.
    func hours(_ hours: SharedHours) -> String {
        switch hours {
        case .closed: return BilingualName(english: "Closed today", korean: "오늘 휴무")[language]
        case .thatDay:
            return BilingualName(english: "Open today, hours unknown", korean: "오늘 영업, 시간 미확인")[language]
        case .open(let spans):
            let texts = spans.map { "\(ShareWords.clock($0.lowerBound))–\(ShareWords.clock($0.upperBound))" }
            let label = BilingualName(english: "Open today", korean: "오늘 영업")[language]
            return "\(label): \(texts.joined(separator: ", "))"
        }
    }

    /// The meeting time in local time, with the offset: the reader may be in another zone.
    func meetingTime(_ instant: Instant, aheadOfUTCSeconds ahead: Int) -> String {
        let seconds = instant.milliseconds.dividedFloor(by: 1_000) + Int64(ahead)
        let days = seconds.dividedFloor(by: 86_400)
        let date = CivilDate(daysSince1970: days)
        let clock = ShareWords.clock(Int(seconds.modulo(86_400) / 60))
        // 1970-01-01 was a Thursday.
        let weekday = Int((days + 3).modulo(7))
        let zone = ShareWords.offset(ahead)
        switch language {
        case .english:
            let month = ShareWords.englishMonths[Int(date.month) - 1]
            let day = "\(ShareWords.englishDays[weekday]), \(date.day) \(month) \(date.year)"
            return "Meeting time: \(day), \(clock) (\(zone))"
        case .korean:
            let day = "\(date.year)년 \(date.month)월 \(date.day)일 (\(ShareWords.koreanDays[weekday]))"
            return "만나는 시간: \(day) \(clock) (\(zone))"
        }
    }

    /// A length, below a kilometre in metres.
    func distance(_ metres: Double) -> String {
        let label = BilingualName(english: "Distance", korean: "거리")[language]
        let whole = Int(metres.rounded())
        guard whole >= 1_000 else { return "\(label): \(whole) m" }
        let tenths = Int((metres / 100).rounded())
        return "\(label): \(tenths / 10).\(tenths % 10) km"
    }

    /// `09:05` for 545 minutes; hours beyond 23 are those after midnight.
    private static func clock(_ minutes: Int) -> String {
        [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    /// `UTC+9`, `UTC-3:30` or `UTC`.
    private static func offset(_ seconds: Int) -> String {
        let (hours, minutes) = (abs(seconds) / 3_600, abs(seconds) / 60 % 60)
        guard hours > 0 || minutes > 0 else { return "UTC" }
        let rest = minutes == 0 ? "" : minutes < 10 ? ":0\(minutes)" : ":\(minutes)"
        return "UTC\(seconds < 0 ? "-" : "+")\(hours)\(rest)"
    }
}
