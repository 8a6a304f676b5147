/// The error of a service of open data that answers it in place of rows, often with status 200 and in another format than
/// asked for.
///
/// - Seoul: `RESULT.CODE` and `RESULT.MESSAGE` in JSON or XML, also inside an object.
/// - data.go.kr: `resultCode` and `resultMsg`; `returnReasonCode`, `returnAuthMsg` and `errMsg` in XML.
struct ServiceError: Hashable {
    /// The service's code; possibly empty.
    let code: String
    /// The service's words; possibly empty.
    let message: String

    /// The error in a reply; nil if there is none, or its code means success.
    init?(in reply: [UInt8]) {
        let start = reply.first { !$0.isJSONSpace }
        let found: (code: String, message: String)? =
            switch start {
            case UInt8(ascii: "{"): JSONParser.value(of: reply).flatMap { Self.pair(in: $0, depth: 0) }
            case UInt8(ascii: "<"): Self.pair(inXML: String(decoding: reply, as: UTF8.self))
            default: nil
            }
        guard let found, !(found.code.isEmpty && found.message.isEmpty), !Self.successes.contains(found.code) else {
            return nil
        }
        (code, message) = (Self.short(found.code), Self.short(found.message))
    }

    /// `true` if the service says that it has no data, as for a page after the last one.
    var saysNoData: Bool { code == "INFO-200" || code == "03" || message.hasPrefix("NODATA") }

    /// A sentence with the service's words.
    var sentence: String {
        let words = [code, message].filter { !$0.isEmpty }.joined(separator: ": ")
        return "the service answered with an error in place of rows: \(words)"
    }

    private static let successes: Set = ["INFO-000", "00", "0", "0000", "000", "200"]
    private static let codes = ["code", "resultcode", "returnreasoncode", "errorcode"]
    private static let messages = ["message", "resultmsg", "returnauthmsg", "errmsg", "errormessage"]

    private static func short(_ text: String) -> String { String(RowText.clean(text).prefix(200)) }

    /// The code and the message of the first object that has a message; rows are at least as deep as ``deepest``.
    private static func pair(in value: JSONValue, depth: Int) -> (code: String, message: String)? {
        guard case .object(let members) = value, depth < deepest else { return nil }
        func text(_ names: [String]) -> String? {
            members.first { names.contains($0.name.lowercased()) }?.value.scalarText
        }
        if let message = text(messages) { return (text(codes) ?? "", message) }
        for member in members {
            if let found = pair(in: member.value, depth: depth + 1) { return found }
        }
        return nil
    }

    private static let deepest = 4

    private static func pair(inXML text: String) -> (code: String, message: String)? {
        let lower = text.lowercased()
        func content(_ names: [String]) -> String? {
            for name in names {
                guard let start = lower.firstRange(of: "<\(name)>"),
                    let end = lower[start.upperBound...].firstRange(of: "</\(name)>")
                else { continue }
                // Lower case of ASCII has the same length; other texts are rare enough to be cut.
                let length = lower.utf8.distance(from: lower.startIndex, to: start.upperBound)
                let count = lower.utf8.distance(from: start.upperBound, to: end.lowerBound)
                let bytes = text.utf8.dropFirst(length).prefix(count)
                return String(decoding: bytes, as: UTF8.self).replacing("<![CDATA[", with: "").replacing(
                    "]]>",
                    with: ""
                )
            }
            return nil
        }
        // The more exact message of data.go.kr comes second: SERVICE ERROR, then the reason.
        guard let message = content(["returnauthmsg"]) ?? content(messages) else { return nil }
        return (content(codes) ?? "", message)
    }
}
