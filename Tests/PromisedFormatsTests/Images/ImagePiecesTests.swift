import PromisedFormats
import Testing

/// Pictures are read in pieces; the tests make those so small that every structure is cut somewhere.
@Suite struct ImagePiecesTests {
    private static func outcome(_ bytes: [UInt8], piece: Int) -> Result<CleanedImage, ImageProblem> {
        do throws(ImageProblem) {
            return .success(try CleanedImage(cleaning: bytes, piece: piece))
        } catch {
            return .failure(error)
        }
    }

    private static let files =
        RefusedImageTests.samples + RefusedImageTests.broken.map(\.bytes) + RefusedImageTests.polyglots.map(\.bytes)
        + CleanedJPEGTests.phones.map(\.sample.bytes) + CleanedWebPTests.cases.map { WebPSample(chunks: $0.sent).bytes }

    @Test(arguments: 0..<8) func `gives the same result for pieces of any size`(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        for file in Self.files {
            for _ in 0..<6 {
                var file = file
                for _ in 0..<Int.random(in: 0...2, using: &numbers) {
                    let place = Int.random(in: file.indices, using: &numbers)
                    let bytes: [UInt8] = [.random(in: 0...255, using: &numbers), 0xFF]
                    file.replaceSubrange(place..<place + Int.random(in: 0...1, using: &numbers), with: bytes)
                }
                let whole = Self.outcome(file, piece: 1 << 20)
                for piece in [128, 131, .random(in: 128...400, using: &numbers)] {
                    #expect(Self.outcome(file, piece: piece) == whole, "seed \(seed), pieces of \(piece) bytes")
                }
            }
        }
    }

    @Test func `finds the signature of an archive in any pieces`() {
        for length in 0..<140 {
            let comment = [UInt8](repeating: 7, count: length) + Array("Rar!\u{1A}\u{7}".utf8)
            let file = JPEGSample(applications: [JPEGSample.segment(0xFE, comment)]).bytes
            #expect(Self.outcome(file, piece: 128) == .failure(.polyglot(with: .rar)), "\(length) bytes before it")
        }
    }

    @Test func `reads a JPEG with more parts than stored a second time`() throws {
        let table = JPEGSample.segment(0xC4, [])
        let comment = JPEGSample.segment(0xFE, Array("left out".utf8))
        var sample = JPEGSample(applications: (0..<5_000).flatMap { _ in [table, comment] } + [JPEGSample.adobe])
        sample.behind = [1, 2, 3]
        let image = try CleanedImage(cleaning: sample.bytes)
        let tables = (0..<5_000).flatMap { _ in table }
        #expect(image.bytes == [0xFF, 0xD8] + JPEGSample.adobe + tables + sample.body + [0xFF, 0xD9])
    }

    @Test func `omits fill bytes in the data, also thousands`() throws {
        for count in [1, 5_000] {
            let data: [UInt8] = (0..<count).flatMap { _ in [1, 0xFF, 0xFF, 0xFF, 0] }
            let cleaned: [UInt8] = (0..<count).flatMap { _ in [1, 0xFF, 0] }
            let sample = JPEGSample(scans: [JPEGSample.scan(data: data)])
            let image = try CleanedImage(cleaning: sample.bytes)
            #expect(image.bytes == JPEGSample(scans: [JPEGSample.scan(data: cleaned)]).bytes)
        }
    }

    @Test func `reads a WebP with more frames than stored a second time`() throws {
        let head = [WebPSample.extended(0x02), WebPSample.animation]
        let sent = (0..<5_000).map { _ in WebPSample.frame([WebPSample.xmp, WebPSample.lossless]) }
        let kept = (0..<5_000).map { _ in WebPSample.frame([WebPSample.lossless]) }
        let image = try CleanedImage(cleaning: WebPSample(chunks: head + sent).bytes)
        #expect(image.bytes == WebPSample(chunks: head + kept).bytes)
    }

    @Test func `a source that fails ends the read`() throws {
        let bytes = JPEGSample(scans: [JPEGSample.scan(data: [UInt8](repeating: 1, count: 100_000))]).bytes
        for limit in [0, 65_536, bytes.count - 1] {
            let source = ByteSource(count: bytes.count) { offset, buffer throws(ImageProblem) in
                guard offset + buffer.count <= limit else { throw .truncated }
                bytes.withUnsafeBytes { buffer.copyBytes(from: $0[offset..<offset + buffer.count]) }
            }
            #expect(throws: ImageProblem.truncated) { try CheckedImage(source) }
        }
    }
}
