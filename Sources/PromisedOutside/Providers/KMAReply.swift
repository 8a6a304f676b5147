import FoundationEssentials
import PromisedDomain
import PromisedPlaces

/// A reply of the Korean service. Errors have status 200, in JSON or, from the portal in front of it, in XML.
enum KMAReply {
    /// One value of one hour.
    struct Row: Decodable {
        let category: String
        let fcstDate: String
        let fcstTime: String
        let fcstValue: FlexibleText
    }

    private struct Reply: Decodable {
        struct Response: Decodable {
            let header: Header
            let body: Body?
        }
        struct Header: Decodable {
            let resultCode: FlexibleText
        }
        struct Body: Decodable {
            let items: Items
            let totalCount: Int
        }
        struct Items: Decodable {
            let item: [Row]
        }
        let response: Response
    }

    /// A page's rows and the total number of rows; nil if the service has no data for the cell.
    static func page(_ bytes: [UInt8]) throws(WeatherFailure) -> (rows: [Row], total: Int)? {
        if bytes.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "<") {
            throw failure(code: codeInXML(bytes))
        }
        let reply: Reply.Response
        do {
            // The body of an error has no items: read the header first.
            let header = try JSONDecoder().decode(HeaderOnly.self, from: Data(bytes)).response.header
            let code = header.resultCode.text
            if code == "03" { return nil }
            guard code == "00" else { throw failure(code: code) }
            reply = try JSONDecoder().decode(Reply.self, from: Data(bytes)).response
        } catch let failure as WeatherFailure {
            throw failure
        } catch {
            throw .malformed
        }
        guard let body = reply.body, body.totalCount >= body.items.item.count else { throw .malformed }
        return (body.items.item, body.totalCount)
    }

    private struct HeaderOnly: Decodable {
        struct Response: Decodable {
            let header: Reply.Header
        }
        let response: Response
    }

    // MARK: - Errors

    private static func failure(code: String?) -> WeatherFailure {
        switch code {
        case "22": .limited(retryAfter: nil)
        case "30", "31": .refused
        case nil: .malformed
        case let code?: .reported(String(code.prefix(8).filter { $0.isASCII && ($0.isLetter || $0.isNumber) }))
        }
    }

    /// The code of an error in XML: of the portal, or of the service itself.
    private static func codeInXML(_ bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        for tag in ["returnReasonCode", "resultCode"] {
            guard let start = text.firstRange(of: "<\(tag)>") else { continue }
            let code = text[start.upperBound...].prefix { $0.isNumber }
            if !code.isEmpty { return String(code) }
        }
        return nil
    }

    // MARK: - Hours

    /// The hours of the rows, ascending. Unreadable values become nil.
    static func hours(_ rows: [Row]) -> [ForecastHour] {
        var values: [Instant: [String: String]] = [:]
        for row in rows {
            guard let instant = instant(date: row.fcstDate, time: row.fcstTime) else { continue }
            values[instant, default: [:]][row.category] = row.fcstValue.text
        }
        return values.sorted { $0.key < $1.key }.map { hour(at: $0.key, $0.value) }
    }

    private static func hour(at instant: Instant, _ values: [String: String]) -> ForecastHour {
        ForecastHour(
            at: instant,
            condition: condition(sky: values["SKY"], precipitation: values["PTY"]),
            temperatureCelsius: values["TMP"].flatMap { Double($0) },
            precipitationPercent: values["POP"].flatMap { Double($0) },
            precipitationMm: values["PCP"].flatMap { KMAAmount.value($0) },
            snowCm: values["SNO"].flatMap { KMAAmount.value($0) },
            windMps: values["WSD"].flatMap { Double($0) },
            humidityPercent: values["REH"].flatMap { Double($0) }
        )
    }

    private static func condition(sky: String?, precipitation: String?) -> WeatherCondition {
        switch (precipitation, sky) {
        case ("1", _), ("4", _): .rain
        case ("2", _), ("6", _): .sleet
        case ("3", _), ("7", _): .snow
        case ("5", _): .drizzle
        case ("0", "1"): .clear
        case ("0", "3"): .partlyCloudy
        case ("0", "4"): .cloudy
        default: .unknown
        }
    }

    /// The instant of a date and a time in Korea, such as `20261121` and `0600`.
    private static func instant(date: String, time: String) -> Instant? {
        guard date.utf8.count == 8, time.utf8.count == 4 else { return nil }
        let day = "\(date.prefix(4))-\(date.dropFirst(4).prefix(2))-\(date.suffix(2))"
        return Instant(rfc3339: "\(day)T\(time.prefix(2)):\(time.suffix(2)):00+09:00")
    }
}

/// A value that services write as a text or as a number. A whole number has no decimal point: `1`, not `1.0`.
struct FlexibleText: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {  // It is a number, then.
            self.text = text
        } else {
            let number = try container.decode(Double.self)
            text = Int(exactly: number).map { "\($0)" } ?? "\(number)"
        }
    }
}
