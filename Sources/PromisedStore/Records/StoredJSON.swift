internal import Foundation

/// JSON for values whose parts are not queried.
enum StoredJSON {
    /// The JSON text, keys sorted.
    static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            throw StoreError.broken("A value without a stored form")
        }
    }

    static func decode<Value: Decodable>(_ text: String) throws -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
        } catch {
            throw StoreError.damaged("A stored \(Value.self) cannot be read")
        }
    }
}
