import Foundation
import PromisedPlaces
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// The opening hours of real weekly markets.
@Suite(
    .enabled(
        if: MarketHoursFolder.url != nil,
        "the opening hours of markets are not beside the repository (../shared/places/hours)"
    )
)
struct SharedOpeningHoursTests {
    private struct Collection: Decodable {
        struct Feature: Decodable {
            struct Properties: Decodable {
                // The name of the key in the files.
                // swift-format-ignore: AlwaysUseLowerCamelCase
                let opening_hours: String?
            }
            let properties: Properties
        }
        let features: [Feature]
    }

    @Test(.proves("11.4")) func `reads all texts`() throws {
        let files = try FileManager.default.contentsOfDirectory(
            at: try #require(MarketHoursFolder.url),
            includingPropertiesForKeys: nil
        )
        let texts = try Set(
            files.filter { $0.pathExtension == "json" }
                .flatMap { try JSONDecoder().decode(Collection.self, from: Data(contentsOf: $0)).features }
                .compactMap(\.properties.opening_hours)
        )
        #expect(texts.count == 146)
        let unreadable = texts.filter { OpeningHours($0) == nil }
        #expect(unreadable.isEmpty, "\(unreadable.sorted())")
    }
}

private enum MarketHoursFolder {
    /// The folder of GeoJSON files beside the repository; nil if it is not there.
    static let url: URL? = {
        guard let root = RepositoryFolder.root else { return nil }
        let folder = root.deletingLastPathComponent().appending(path: "shared/places/hours")
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }()
}
