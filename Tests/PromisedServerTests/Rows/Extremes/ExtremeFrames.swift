import Foundation
import PromisedProtocol
import PromisedServer
import PromisedWire

/// The recorded frames of all requests and administrators' forms, each with extreme values in its fields.
struct ExtremeFrames {
    /// The request's name; that of the form for administrators.
    let name: String
    /// `true` for an administrators' form.
    let isForm: Bool
    private let frame: WireClientFrame

    /// All requests and forms, deletions last.
    ///
    /// - Parameter ids: the replacements of recorded ids, by their last two digits.
    static func all(replacing ids: [String: String]) throws -> [ExtremeFrames] {
        let requests = try names(in: "requests").filter { $0 != "admin" }
        let all =
            try requests.map { try ExtremeFrames($0, isForm: false, ids) }
            + names(in: "admin-forms").map { try ExtremeFrames($0, isForm: true, ids) }
        return all.filter { !$0.isEnd } + all.filter(\.isEnd)
    }

    private static func names(in folder: String) throws -> [String] {
        try WireRecording.names(in: folder).filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
    }

    private init(_ name: String, isForm: Bool, _ ids: [String: String]) throws {
        (self.name, self.isForm) = (name, isForm)
        var text = try WireRecording.text("\(isForm ? "admin-forms" : "requests")/\(name).json")
        for (digits, id) in ids { text = text.replacing("01932a4e-0000-7000-8000-0000000000\(digits)", with: id) }
        frame = try WireCodec.json.decodeClientFrame(Array(text.utf8))
    }

    /// `true` if the request deletes an object that others need.
    private var isEnd: Bool {
        ["cancel", "leave", "delete", "discard", "finish", "remove", "disable", "reset", "kick", "handOver", "respond"]
            .contains { name.hasPrefix($0) }
    }

    /// `true` if only a connection without a user may send it.
    var isOfStrangers: Bool {
        ["hello", "signUp", "signIn", "refresh", "exchangeCode", "watchByLink"].contains(name) && !isForm
    }

    /// One of the extreme values in one of the fields.
    struct Case: Sendable {
        fileprivate let field: Int
        /// The number of the value.
        fileprivate let choice: Int
        /// The JSON in place of the sentinel; nil for a value of the field's type.
        fileprivate let token: String?
    }

    func fields() throws -> [ExtremeField] { try ExtremeFields.all(of: frame) }

    /// All extreme values in all fields, those of JSON alone only in JSON.
    func cases(codec: WireCodec) throws -> [Case] {
        try fields().enumerated().flatMap { index, field in
            let isCursor = try text(index).contains("\"cursor\":\"\(ExtremeFields.sentinelText)\"")
            let count = field.kind == .text && !isCursor ? ExtremeValues.texts.count : field.valueCount
            let values = (0..<count).map { Case(field: index, choice: $0, token: nil) }
            guard codec == .json, field.kind == .whole || field.kind == .real else { return values }
            return values
                + ExtremeValues.tokens.map { Case(field: index, choice: ExtremeFields.sentinel, token: $0) }
        }
    }

    /// A frame in the encoding; nil if the encoding cannot represent it: JSON has no instant beyond the years 1 to
    /// 9999.
    ///
    /// - Parameter version: replaces the recorded version, so that the server checks the other fields.
    func bytes(of item: Case, codec: WireCodec, version: Int32) -> [UInt8]? {
        do {
            if let token = item.token {
                let marked = try text(item.field, version: version)
                let number = marked.contains("\(ExtremeFields.sentinelNumber).0") ? ".0" : ""
                return Array(marked.replacing("\(ExtremeFields.sentinelNumber)\(number)", with: token).utf8)
            }
            return try codec.encode(
                ExtremeFields.message(versioned(version), setting: item.field, to: item.choice)
            )
        } catch {
            return nil
        }
    }

    /// The frame in JSON with the sentinel in a field.
    private func text(_ field: Int, version: Int32 = 1) throws -> String {
        let marked = try ExtremeFields.message(versioned(version), setting: field, to: ExtremeFields.sentinel)
        return String(decoding: try WireCodec.json.encode(marked), as: UTF8.self)
    }

    /// The frame with another version, if it has one.
    private func versioned(_ version: Int32) throws -> WireClientFrame {
        guard hasVersion else { return frame }
        var text = String(decoding: try WireCodec.json.encode(frame), as: UTF8.self)
        text.replace(/"version":\d+/, with: "\"version\":\(version)")
        return try WireCodec.json.decodeClientFrame(Array(text.utf8))
    }

    /// `true` if the request changes a versioned object.
    var hasVersion: Bool { name.hasPrefix("update") || name == "editPromise" }
}
