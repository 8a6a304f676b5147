import Foundation
import PromisedProtocol
import PromisedWire
import SwiftProtobuf

@testable import promisectl

extension WireAdminSources {
    /// Sources with the numbers of their places.
    static func sample(_ counts: KeyValuePairs<String, UInt32>) -> WireAdminSources {
        var reply = WireAdminSources()
        reply.sources = counts.map { name, count in
            var source = WireAdminSource()
            source.source.name = name
            source.source.count = count
            return source
        }
        return reply
    }
}

extension WireAdminWeatherStatus {
    /// Providers with their states, and the requests spent of 100.
    static func sample(
        _ providers: [(name: String, state: WireAdminProviderState.Value)],
        spent: UInt32
    ) -> WireAdminWeatherStatus {
        var status = WireAdminWeatherStatus()
        status.dailyRequests = 100
        status.requestsSpent = spent
        status.providers = providers.map { name, state in
            WireAdminWeatherProvider.with { ($0.name, $0.state) = (name, state) }
        }
        return status
    }
}

extension WireAdminPlace {
    /// A market with a name in English and a fact.
    static func sample() -> WireAdminPlace {
        var place = WireAdminPlace()
        place.placeID = "01932a4e-0000-7000-8000-00000000000a"
        place.sourceName = "markets"
        place.row.ref = "7"
        place.row.place.name = "광장시장"
        place.row.place.latitude = 37.5703
        place.row.place.longitude = 126.999
        place.row.categories = ["market/permanent"]
        place.row.hours = "Mo-Su"
        place.row.names = [WirePlaceName.with { ($0.language, $0.name) = ("en", "Gwangjang") }]
        place.row.facts = [WirePlaceFact.with { ($0.key, $0.value) = ("opened", "1905") }]
        return place
    }
}

/// A file of a test, removed with it.
final class SampleFile {
    let path: String

    /// A file with a text in a separate folder.
    init(_ text: String, name: String = "places.csv") throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "promisectl-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appending(path: name).path
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    deinit {
        // A temporary folder: the system removes it if this fails.
        try? FileManager.default.removeItem(at: URL(filePath: path).deletingLastPathComponent())
    }

    func beside(_ name: String) -> String { URL(filePath: path).deletingLastPathComponent().appending(path: name).path }
}
