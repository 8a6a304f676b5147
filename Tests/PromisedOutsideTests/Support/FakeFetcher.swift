import Foundation
import PromisedConcurrency
import PromisedDomain
import PromisedOutside

/// An HTTP client without a network: a function answers, and the requests are recorded.
final class FakeFetcher: HTTPFetching {
    typealias Answer = @Sendable (OutsideRequest) async throws(OutsideError) -> OutsideReply

    private let answer: Answer
    private let recorded = Guarded<[OutsideRequest]>([])

    init(_ answer: @escaping Answer) {
        self.answer = answer
    }

    /// A client whose every request has the same reply.
    convenience init(_ reply: OutsideReply) {
        self.init { (_) throws(OutsideError) in reply }
    }

    /// The requests so far.
    var requests: [OutsideRequest] { recorded.withLock { $0 } }

    func fetch(_ request: OutsideRequest) async throws(OutsideError) -> OutsideReply {
        recorded.withLock { $0.append(request) }
        return try await answer(request)
    }
}

/// The recorded replies beside the tests.
enum Replies {
    /// The instant for which they were recorded: 05:30 in Korea.
    static let now = Instant(milliseconds: 1_795_206_600_000)

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Replies")

    static func body(_ name: String) -> [UInt8] {
        guard let data = try? Data(contentsOf: folder.appending(path: name)) else {
            fatalError("There is no recorded reply \(name)")
        }
        return Array(data)
    }

    static func reply(_ name: String, modified: String? = nil, freshFor: TimeSpan? = nil) -> OutsideReply {
        OutsideReply(status: 200, body: body(name), lastModified: modified, freshFor: freshFor)
    }

    /// The answer of a service, by the last part of the request's path.
    static func reply(to request: OutsideRequest) -> OutsideReply {
        switch request.path {
        case "/getVilageFcst": reply("kma.json")
        case "/forecast": reply("open-meteo.json")
        case "/air-quality": reply("open-meteo-air.json")
        case "/locationforecast/2.0/compact": reply("met-norway.json")
        default: OutsideReply(status: 404)
        }
    }
}

/// A temporary file with a text, removed with its owner.
final class TemporaryFile: Sendable {
    let path: String

    init(_ text: String) throws {
        path = FileManager.default.temporaryDirectory.appending(path: "promised-\(UUID().uuidString)").path
        try write(text)
    }

    func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

    deinit {
        // A temporary file: the system removes what stays here.
        try? FileManager.default.removeItem(atPath: path)
    }
}
