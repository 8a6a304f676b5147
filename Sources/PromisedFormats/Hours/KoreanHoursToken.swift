/// A part of a Korean text about opening hours.
enum KoreanHoursToken: Hashable {
    /// A number and its digits; `07` has two.
    case number(Int, digits: Int)
    /// `:` or `시`; the latter has its own minutes, `분` or `반`.
    case colon
    case hourWord
    case minuteWord
    case half
    /// `~`, `-`, `부터`.
    case range
    /// `,`, `·`, `/`, 및.
    case list
    case open
    case close
    /// 오전, 오후 and others, by the hours that they add.
    case dayPart(KoreanDayPart)
    /// 익일, 다음날: the night after the day.
    case nextDay
    /// A time by its name, in minutes: 정오, 자정.
    case time(Int)
    /// 시간.
    case hours
    /// Weekdays as bits, from Monday; with holidays by bit 7.
    case days(UInt8)
    /// 평일: from Monday to Friday, but not on holidays.
    case workdays
    /// 첫째, 둘째, …: the number in the month; -1 for the last.
    case ordinal(Int)
    /// 주, 째, 번째: makes the numbers before it ordinals.
    case week
    /// 월 after a number, and 일.
    case month
    case dayOfMonth
    /// 휴무 and others.
    case closed
    /// 제외.
    case except
    /// 설날, 추석: holidays that no date of the solar calendar tells.
    case feast
    /// 연중무휴.
    case always
    /// 운영시간: opening times follow.
    case label
    /// 상시: at all hours.
    case allHours
    /// 점심시간, 브레이크타임.
    case pause
    /// 입장마감, 라스트오더: the time after it closes nothing.
    case lastEntry
    /// 하절기, 동절기: needs its months.
    case season
    /// A word that changes nothing: 매주, 당일.
    case filler
}

/// A part of the day that tells the hours of a clock of twelve hours apart.
enum KoreanDayPart: Hashable {
    case morning, afternoon, night

    /// The hour of the day; nil if the part has no such hour.
    func hour(_ hour: Int) -> Int? {
        switch self {
        case .morning: hour < 12 ? hour : hour == 12 ? 0 : nil
        case .afternoon: hour < 12 ? hour + 12 : hour <= 23 ? hour : nil
        case .night: hour == 12 ? 24 : hour < 5 ? nil : hour < 12 ? hour + 12 : hour <= 24 ? hour : nil
        }
    }
}

extension KoreanHoursToken {
    /// The tokens of a text; nil if a part of it is unknown. Blanks separate nothing.
    static func tokens(of text: String) -> [KoreanHoursToken]? {
        var tokens: [KoreanHoursToken] = []
        var rest = Array(text.lowercased().filter { !$0.isWhitespace })[...]
        while let first = rest.first {
            if first.isASCII, first.isNumber {
                let digits = rest.prefix { $0.isASCII && $0.isNumber }
                guard digits.count <= 4, let number = Int(String(digits)) else { return nil }
                tokens.append(.number(number, digits: digits.count))
                rest = rest.dropFirst(digits.count)
                continue
            }
            guard let (length, token) = word(at: rest, after: tokens.last) else { return nil }
            if token != .filler { tokens.append(token) }
            rest = rest.dropFirst(length)
        }
        return tokens
    }

    /// The longest known word at the start; what 월 and 일 mean depends on a number before them.
    private static func word(
        at text: ArraySlice<Character>,
        after last: KoreanHoursToken?
    ) -> (length: Int, token: KoreanHoursToken)? {
        for length in stride(from: min(longest, text.count), to: 0, by: -1) {
            guard let token = words[String(text.prefix(length))] else { continue }
            guard length == 1, case .number? = last else { return (length, token) }
            switch text.first {
            case "월": return (1, .month)
            case "일": return (1, .dayOfMonth)
            default: return (1, token)
            }
        }
        return nil
    }

    private static let longest = words.keys.map(\.count).max() ?? 0

    /// The words by their meaning, without blanks.
    private static let words: [String: KoreanHoursToken] = {
        var words: [String: KoreanHoursToken] = [:]
        for (token, list) in lists {
            for word in list.split(separator: " ") { words[String(word)] = token }
        }
        for (day, letter) in "월화수목금토일".enumerated() {
            for ending in ["", "요일", "욜"] { words["\(letter)\(ending)"] = .days(1 << UInt8(day)) }
        }
        return words
    }()

    private static let lists: [(KoreanHoursToken, String)] = [
        (.colon, ": ："), (.hourWord, "시"), (.minuteWord, "분"), (.half, "반"),
        (.range, "~ ～ ∼ 〜 - – — − 부터"), (.list, ", · ㆍ ・ / ; + & 및 와 과 . 、"),
        (.open, "( [ （"), (.close, ") ] ）"),
        (.dayPart(.morning), "오전 새벽 아침 am a.m."), (.dayPart(.afternoon), "오후 낮 pm p.m."),
        (.dayPart(.night), "밤 저녁"), (.nextDay, "익일 다음날 명일"), (.time(720), "정오"), (.time(1_440), "자정"),
        (.hours, "시간"), (.days(0x7F), "매일"), (.days(0x60), "주말"), (.workdays, "평일 주중"),
        (.days(0x80), "공휴일 법정공휴일 국경일"), (.ordinal(1), "첫째 첫번째 첫"), (.ordinal(2), "둘째 두번째"),
        (.ordinal(3), "셋째 세번째"), (.ordinal(4), "넷째 네번째"), (.ordinal(5), "다섯째 다섯번째"), (.ordinal(-1), "마지막"),
        (.week, "주 째 번째 째주 번째주 주차"),
        (.closed, "휴무 휴무일 휴관 휴관일 휴점 휴점일 휴업 휴업일 휴장 휴장일 정기휴무 정기휴무일 정기휴일 정기휴관 정기휴관일 쉼 쉽니다 미운영 closed"),
        (.except, "제외"), (.feast, "설날 설 설연휴 설날연휴 추석 추석연휴 한가위 구정 명절 명절연휴 신정연휴"),
        (.always, "연중무휴 무휴 휴무없음 휴무일없음 연중 연중개방 연중운영"),
        (.allHours, "상시 상시개방 상시운영 상시이용 상시이용가능 항시 항시개방"),
        (.pause, "점심시간 점심 브레이크타임 브레이크 휴게시간 휴식시간 중식시간 breaktime"),
        (.lastEntry, "입장마감 입장마감시간 매표마감 발권마감 접수마감 주문마감 라스트오더 lastorder"),
        (.season, "하절기 동절기 하계 동계 여름철 겨울철 여름 겨울 춘추절기"),
        (.label, "운영시간 영업시간 이용시간 개방시간 관람시간 개관시간 근무시간"),
        (.filler, "운영 영업 이용 개방 개관 관람 이용가능 가능 매주 매월 정기 당일 까지 은 는 에 에는 * ○ ● ▶ ※ ■ □ ㅇ"),
    ]
}
