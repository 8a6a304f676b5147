import Foundation
import PromisedProtocol
import SwiftProtobuf

/// One number, enumeration or text of a message: its path and the number of its extreme values.
struct ExtremeField: Sendable {
    enum Kind: Sendable { case whole, real, choice, text }

    let kind: Kind
    let valueCount: Int
}

/// The fields of a message as its generated code lists them, set or not.
///
/// A oneof of complete requests keeps its set member: the others have their own frames.
final class ExtremeFields {
    /// The number of ``sentinel``, to be replaced in JSON.
    static let sentinelNumber = 70_707
    static let sentinelText = "sentinel-70707"

    /// The choice of the sentinel in place of a value.
    static let sentinel = -1

    /// All fields, in the order of the schema, including nested ones.
    private(set) var fields: [ExtremeField] = []
    private var requestCount = 0
    private let target: (field: Int, choice: Int)?
    private var isPut = false

    private init(target: (field: Int, choice: Int)?) { self.target = target }

    /// The fields of a message.
    static func all(of message: some Message) throws -> [ExtremeField] {
        let walk = ExtremeFields(target: nil)
        var message = message
        try walk.visit(&message, depth: 0)
        return walk.fields
    }

    /// The number of possible requests of a frame, or of forms of an administrator's request.
    static func requestCount(of message: some Message) throws -> Int {
        let walk = ExtremeFields(target: nil)
        var message = message
        try walk.visit(&message, depth: 0)
        return walk.requestCount
    }

    /// The message with one of its fields set to one of the extreme values, or to the sentinel.
    static func message<Whole: Message>(_ message: Whole, setting field: Int, to choice: Int) throws -> Whole {
        let walk = ExtremeFields(target: (field, choice))
        var message = message
        try walk.visit(&message, depth: 0)
        return message
    }

    fileprivate func visit(_ message: inout some Message, depth: Int) throws {
        var decoder = FieldDecoder(fields: self, depth: depth, isOfRequests: depth == 0 || message is WireAdminRequest)
        try message.decodeMessage(decoder: &decoder)
    }

    /// Counts a field, and sets it if it is the one.
    fileprivate func meet<Value>(_ kind: ExtremeField.Kind, _ values: [Value], _ sentinel: Value) -> Value? {
        defer { fields.append(ExtremeField(kind: kind, valueCount: values.count)) }
        guard let target, target.field == fields.count else { return nil }
        isPut = true
        return target.choice == Self.sentinel ? sentinel : values[target.choice]
    }

    /// Enters a message; a missing one is created if one of its fields is set.
    fileprivate func enter<Part: Message>(_ part: inout Part?, depth: Int, onlyPresent: Bool) throws {
        if onlyPresent { requestCount += 1 }
        guard part != nil || (!onlyPresent && depth < 8) else { return }
        var inner = part ?? Part()
        let wasPut = isPut
        try visit(&inner, depth: depth)
        if part != nil || (isPut && !wasPut) { part = inner }
    }
}

/// Passes the numbers of all fields to a message's generated code.
private struct FieldDecoder: Decoder {
    /// No message of the protocol has a field beyond it.
    private static let lastField = 199

    let fields: ExtremeFields
    let depth: Int
    /// `true` in a frame and in an administrator's request, whose oneof is the request.
    let isOfRequests: Bool
    private var number = 0

    init(fields: ExtremeFields, depth: Int, isOfRequests: Bool) {
        (self.fields, self.depth, self.isOfRequests) = (fields, depth, isOfRequests)
    }

    mutating func nextFieldNumber() -> Int? {
        number += 1
        return number <= Self.lastField ? number : nil
    }

    mutating func handleConflictingOneOf() {}

    // MARK: - Numbers

    private func whole<Value: FixedWidthInteger>() -> Value? {
        // A frame's own number is its id: the server does not reply to a frame of the id 0.
        guard depth > 0 else { return nil }
        return fields.meet(.whole, ExtremeValues.integers(), Value(ExtremeFields.sentinelNumber))
    }

    private func real() -> Double? {
        fields.meet(.real, ExtremeValues.reals, Double(ExtremeFields.sentinelNumber))
    }

    private func choice<E: Enum>() -> E? where E.RawValue == Int {
        let values = ExtremeValues.cases.compactMap { E(rawValue: $0) }
        return values.first.flatMap { fields.meet(.choice, values, $0) }
    }

    private func text() -> String? {
        fields.meet(.text, ExtremeValues.textsAndCursors, ExtremeFields.sentinelText)
    }

    mutating func decodeSingularInt32Field(value: inout Int32) { value = whole() ?? value }
    mutating func decodeSingularInt32Field(value: inout Int32?) { value = whole() ?? value }
    mutating func decodeRepeatedInt32Field(value: inout [Int32]) { value = whole().map { [$0] } ?? value }
    mutating func decodeSingularInt64Field(value: inout Int64) { value = whole() ?? value }
    mutating func decodeSingularInt64Field(value: inout Int64?) { value = whole() ?? value }
    mutating func decodeRepeatedInt64Field(value: inout [Int64]) { value = whole().map { [$0] } ?? value }
    mutating func decodeSingularUInt32Field(value: inout UInt32) { value = whole() ?? value }
    mutating func decodeSingularUInt32Field(value: inout UInt32?) { value = whole() ?? value }
    mutating func decodeRepeatedUInt32Field(value: inout [UInt32]) { value = whole().map { [$0] } ?? value }
    mutating func decodeSingularUInt64Field(value: inout UInt64) { value = whole() ?? value }
    mutating func decodeSingularUInt64Field(value: inout UInt64?) { value = whole() ?? value }
    mutating func decodeRepeatedUInt64Field(value: inout [UInt64]) { value = whole().map { [$0] } ?? value }
    mutating func decodeSingularSInt32Field(value: inout Int32) { value = whole() ?? value }
    mutating func decodeSingularSInt32Field(value: inout Int32?) { value = whole() ?? value }
    mutating func decodeRepeatedSInt32Field(value: inout [Int32]) { value = whole().map { [$0] } ?? value }
    mutating func decodeSingularSInt64Field(value: inout Int64) { value = whole() ?? value }
    mutating func decodeSingularSInt64Field(value: inout Int64?) { value = whole() ?? value }
    mutating func decodeRepeatedSInt64Field(value: inout [Int64]) { value = whole().map { [$0] } ?? value }
    mutating func decodeSingularFixed32Field(value: inout UInt32) { value = whole() ?? value }
    mutating func decodeSingularFixed32Field(value: inout UInt32?) { value = whole() ?? value }
    mutating func decodeRepeatedFixed32Field(value: inout [UInt32]) { value = whole().map { [$0] } ?? value }
    mutating func decodeSingularFixed64Field(value: inout UInt64) { value = whole() ?? value }
    mutating func decodeSingularFixed64Field(value: inout UInt64?) { value = whole() ?? value }
    mutating func decodeRepeatedFixed64Field(value: inout [UInt64]) { value = whole().map { [$0] } ?? value }
    mutating func decodeSingularSFixed32Field(value: inout Int32) { value = whole() ?? value }
    mutating func decodeSingularSFixed32Field(value: inout Int32?) { value = whole() ?? value }
    mutating func decodeRepeatedSFixed32Field(value: inout [Int32]) { value = whole().map { [$0] } ?? value }
    mutating func decodeSingularSFixed64Field(value: inout Int64) { value = whole() ?? value }
    mutating func decodeSingularSFixed64Field(value: inout Int64?) { value = whole() ?? value }
    mutating func decodeRepeatedSFixed64Field(value: inout [Int64]) { value = whole().map { [$0] } ?? value }
    mutating func decodeSingularDoubleField(value: inout Double) { value = real() ?? value }
    mutating func decodeSingularDoubleField(value: inout Double?) { value = real() ?? value }
    mutating func decodeRepeatedDoubleField(value: inout [Double]) { value = real().map { [$0] } ?? value }
    mutating func decodeSingularFloatField(value: inout Float) { value = real().map { Float($0) } ?? value }
    mutating func decodeSingularFloatField(value: inout Float?) { value = real().map { Float($0) } ?? value }
    mutating func decodeRepeatedFloatField(value: inout [Float]) { value = real().map { [Float($0)] } ?? value }

    // MARK: - Enumerations and texts

    mutating func decodeSingularEnumField<E: Enum>(value: inout E) where E.RawValue == Int { value = choice() ?? value }
    mutating func decodeSingularEnumField<E: Enum>(value: inout E?) where E.RawValue == Int {
        value = choice() ?? value
    }
    mutating func decodeRepeatedEnumField<E: Enum>(value: inout [E]) where E.RawValue == Int {
        value = choice().map { [$0] } ?? value
    }
    mutating func decodeSingularStringField(value: inout String) { value = text() ?? value }
    mutating func decodeSingularStringField(value: inout String?) { value = text() ?? value }
    mutating func decodeRepeatedStringField(value: inout [String]) { value = text().map { [$0] } ?? value }

    // MARK: - Messages

    mutating func decodeSingularMessageField<M: Message>(value: inout M?) throws {
        try fields.enter(&value, depth: depth + 1, onlyPresent: isOfRequests)
    }

    mutating func decodeRepeatedMessageField<M: Message>(value: inout [M]) throws {
        var first = value.first
        try fields.enter(&first, depth: depth + 1, onlyPresent: false)
        if let first { value = [first] + value.dropFirst() }
    }

    // MARK: - Fields without values

    mutating func decodeSingularBoolField(value: inout Bool) {}
    mutating func decodeSingularBoolField(value: inout Bool?) {}
    mutating func decodeRepeatedBoolField(value: inout [Bool]) {}
    mutating func decodeSingularBytesField(value: inout Data) {}
    mutating func decodeSingularBytesField(value: inout Data?) {}
    mutating func decodeRepeatedBytesField(value: inout [Data]) {}
    mutating func decodeSingularGroupField<G: Message>(value: inout G?) {}
    mutating func decodeRepeatedGroupField<G: Message>(value: inout [G]) {}
    mutating func decodeMapField<Key, Value: MapValueType>(
        fieldType: _ProtobufMap<Key, Value>.Type,
        value: inout _ProtobufMap<Key, Value>.BaseType
    ) {}
    mutating func decodeMapField<Key, Value>(
        fieldType: _ProtobufEnumMap<Key, Value>.Type,
        value: inout _ProtobufEnumMap<Key, Value>.BaseType
    ) where Value.RawValue == Int {}
    mutating func decodeMapField<Key, Value>(
        fieldType: _ProtobufMessageMap<Key, Value>.Type,
        value: inout _ProtobufMessageMap<Key, Value>.BaseType
    ) {}
    mutating func decodeExtensionField(
        values: inout ExtensionFieldValueSet,
        messageType: any Message.Type,
        fieldNumber: Int
    ) {}
    mutating func decodeExtensionFieldsAsMessageSet(
        values: inout ExtensionFieldValueSet,
        messageType: any Message.Type
    ) {}
}
