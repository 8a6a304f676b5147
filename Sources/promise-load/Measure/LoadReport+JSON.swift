import Foundation

extension LoadReport {
    /// The document `--json` prints, keys sorted; what is not known is null.
    func json() throws -> Data {
        try JSONSerialization.data(
            withJSONObject: fields(),
            options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        )
    }

    /// Every number of the document by its path, such as `deliveryLatencyMs.p99`; nil: not known.
    func numbers() throws -> [String: Double?] {
        var numbers: [String: Double?] = [:]
        for (key, value) in try fields() {
            switch value {
            case let inner as [String: Any]:
                for (part, value) in inner { numbers["\(key).\(part)"] = (value as? NSNumber)?.doubleValue }
            case let number as NSNumber: numbers[key] = .some(number.doubleValue)
            case is NSNull: numbers[key] = .some(nil)
            default: break
            }
        }
        return numbers
    }

    /// The stored properties with `NSNull` for nil, which the encoder leaves out.
    private func fields() throws -> [String: Any] {
        let encoded = try JSONSerialization.jsonObject(with: JSONEncoder().encode(self))
        guard var fields = encoded as? [String: Any] else { preconditionFailure("A report is encoded as an object.") }
        for child in Mirror(reflecting: self).children {
            guard let name = child.label, fields[name] == nil else { continue }
            fields[name] = NSNull()
        }
        return fields
    }
}
