import Foundation
import PromisedDomain
import PromisedPlaces
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// Clusters of real places: the traditional markets of Korea, from the file beside the repository.
@Suite struct MarketClusterTests {
    /// The file; nil if it is absent.
    private static let file: URL? = RepositoryFolder.root.flatMap { root in
        let file = root.deletingLastPathComponent().appending(path: "shared/places/markets-kr.csv")
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }

    /// The positions of the file. In CP949 no byte of a Korean letter is a comma, a quotation mark or a line feed: the file
    /// can be split as bytes.
    private static let positions: [Coordinate] = {
        guard let file, let data = try? Data(contentsOf: file) else { return [] }
        return data.split(separator: UInt8(ascii: "\n")).dropFirst().compactMap { line in
            let columns = columns(of: line)
            guard let latitude = Double(columns[5]), let longitude = Double(columns[6]) else { return nil }
            return Coordinate(latitude: latitude, longitude: longitude)
        }
    }()

    private static func columns(of line: Data) -> [String] {
        var columns = [""]
        var isQuoted = false
        for byte in line {
            switch byte {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted: columns.append("")
            default: columns[columns.count - 1].unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return columns
    }

    private static func index(_ positions: [Coordinate]) -> PlaceIndex {
        var generator = SeededGenerator(seed: 1)
        return PlaceIndex(
            positions.enumerated().map { number, coordinate in
                let listing = PlaceListing(
                    id: PlaceID(at: Instant(milliseconds: Int64(number)), using: &generator),
                    name: "시장",
                    coordinate: coordinate,
                    categories: [CategoryID(text: "market/permanent")],
                    source: "markets",
                    revision: 1
                )
                return DirectoryPlace(listing: listing, ref: "\(number)", updatedAt: Instant(milliseconds: 0))
            },
            version: 1
        )
    }

    @Test(
        .proves("11.10"),
        .enabled(if: file != nil, "shared/places/markets-kr.csv is not beside the repository"),
        arguments: [(5, 5), (6, 12), (7, 37), (8, 111), (9, 282), (10, 440), (12, 743), (14, 1_081)]
    )
    func `the markets of Korea make as many items as in another implementation`(zoom: Int, count: Int) {
        let index = Self.index(Self.positions)
        #expect(index.count == 1_372)
        let view = index.view(.world, zoom: zoom, limit: 2_000)
        print("markets, zoom \(zoom): \(view.itemCount) items, \(count) expected")
        #expect(view.cellPixels == 64)
        #expect(abs(Double(view.itemCount - count)) <= Double(count) / 100)
        #expect(view.places.count + view.clusters.reduce(0) { $0 + $1.count } == 1_372)
        #expect(pairsWithin32Pixels(view, index, zoom) <= 1)
    }

    @Test(.proves("11.10")) func `of a thousand items at most two have another within 32 pixels`() {
        let index = PlaceIndex(SyntheticDirectory(count: 20_000, seed: 3), version: 1)
        var (items, pairs) = (0, 0)
        for zoom in 5...16 {
            let view = index.view(.world, zoom: zoom, limit: 20_000)
            items += view.itemCount
            pairs += pairsWithin32Pixels(view, index, zoom)
        }
        print("synthetic, zoom 5 to 16: \(items) items, \(pairs) pairs within 32 px")
        #expect(pairs * 2 * 1_000 <= items * 2)
    }

    private func pairsWithin32Pixels(_ view: PlaceView, _ index: PlaceIndex, _ zoom: Int) -> Int {
        let scale = Double(256 << zoom) / 4_294_967_296
        let points = (view.clusters.map(\.coordinate) + view.places.map(index.coordinate))
            .map(PlainMap.position).sorted { $0.x < $1.x }
        var pairs = 0
        for (number, point) in points.enumerated() {
            for other in points[(number + 1)...] {
                guard (other.x - point.x) * scale <= 32 else { break }
                let distance = hypot(other.x - point.x, other.y - point.y) * scale
                if distance <= 32 { pairs += 1 }
            }
        }
        return pairs
    }
}
