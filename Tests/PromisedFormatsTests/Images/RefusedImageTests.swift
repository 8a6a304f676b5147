import PromisedFormats
import PromisedTestMarks
import Testing

@Suite struct RefusedImageTests {
    static let samples = [JPEGSample().bytes, PNGSample().bytes, WebPSample().bytes]

    private static func word(_ bytes: [UInt8], limits: ImageLimits = ImageLimits()) -> String? {
        do throws(ImageProblem) {
            _ = try CleanedImage(cleaning: bytes, limits: limits)
            return nil
        } catch {
            let sizes: [ImageProblem.Reason] = [.bytes, .side, .pixels]
            #expect(error.isTooLarge == sizes.contains(error.reason))
            #expect(!error.description.isEmpty)
            return error.reason.rawValue
        }
    }

    // MARK: - Formats

    @Test(.proves("15.3"), .defends("damaged-pictures"), arguments: samples)
    func `rejects a picture truncated anywhere`(bytes: [UInt8]) {
        #expect(Self.word(bytes) == nil)
        for length in bytes.indices {
            let start = Array(bytes.prefix(length))
            // A JPEG that lacks only its end marker is complete.
            let isWhole = bytes == Self.samples[0] && length >= bytes.count - 2
            let expected = isWhole ? nil : ImageFormat(sniffing: start) == nil ? "format" : "truncated"
            #expect(Self.word(start) == expected, "\(length) bytes")
        }
    }

    @Test(
        .defends("polyglot-pictures"),
        arguments: [
            [], Array("GIF89a".utf8), Array("BM".utf8), Array("RIFF\u{10}\0\0\0WAVEfmt ".utf8), Array("<svg/>".utf8),
            Array("%PDF-1.7".utf8), PictureBytes.film, PictureBytes.archive, [0x50, 0x4B, 0x03, 0x04], [0xFF, 0xD8],
        ]
    )
    func `rejects other files with any name`(bytes: [UInt8]) {
        #expect(Self.word(bytes) == "format")
    }

    struct Polyglot: CustomTestStringConvertible, Sendable {
        let format: ForeignFormat
        let bytes: [UInt8]
        var testDescription: String { format.rawValue }
    }

    static let polyglots = [
        Polyglot(format: .zip, bytes: PictureBytes.archive),
        Polyglot(format: .zip, bytes: PictureBytes.archive + Array("a comment".utf8)),
        Polyglot(format: .zip, bytes: PictureBytes.largeArchive),
        Polyglot(format: .pdf, bytes: Array("%PDF-1.7\n".utf8)),
        Polyglot(format: .rar, bytes: Array("Rar!\u{1A}\u{7}\u{1}\0".utf8)),
        Polyglot(format: .sevenZip, bytes: [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4]),
    ]

    @Test(.proves("15.3"), .defends("polyglot-pictures"), arguments: polyglots)
    func `rejects a picture that is also an archive or a document`(other: Polyglot) {
        let comment = JPEGSample.segment(0xFE, other.bytes)
        let files = Self.samples.map { $0 + other.bytes } + [JPEGSample(applications: [comment]).bytes]
        for file in files {
            #expect(throws: ImageProblem.polyglot(with: other.format)) { try CleanedImage(cleaning: file) }
        }
    }

    @Test func `detects an archive at the end of the file after cutting`() {
        var profile = PictureBytes.profile(length: 70_000)
        profile.replaceSubrange((profile.count - PictureBytes.archive.count)..., with: PictureBytes.archive)
        let pieces = [profile[..<40_000], profile[40_000...]].enumerated().map { index, piece in
            JPEGSample.segment(0xE2, "ICC_PROFILE\0", [UInt8(index + 1), 2] + piece)
        }
        let sample = JPEGSample(applications: pieces, behind: [UInt8](repeating: 0, count: 70_000))
        #expect(Self.word(sample.bytes) == "polyglot")
    }

    @Test func `accepts an animation with the signature of an archive by chance`() {
        let chance: [UInt8] = [0x50, 0x4B, 0x05, 0x06] + [UInt8](repeating: 9, count: 40)
        for behind in [chance, PictureBytes.archiveEnd(directoryLength: 0xFFFF_FFFF)] {
            #expect(Self.word(JPEGSample(behind: PictureBytes.film + behind).bytes) == nil)
        }
    }

    // MARK: - Limits

    struct Size: CustomTestStringConvertible, Sendable {
        let width: Int
        let height: Int
        let word: String?
        var testDescription: String { "\(width) × \(height)" }
    }

    static let sizes = [
        Size(width: 11_999, height: 1, word: nil), Size(width: 12_000, height: 1, word: nil),
        Size(width: 12_001, height: 1, word: "side"), Size(width: 1, height: 12_001, word: "side"),
        Size(width: 12_000, height: 4_999, word: nil), Size(width: 12_000, height: 5_000, word: nil),
        Size(width: 5_001, height: 12_000, word: "pixels"), Size(width: 7_746, height: 7_746, word: "pixels"),
    ]

    @Test(.proves("15.3"), .defends("exploding-pictures"), arguments: sizes)
    func `limits sides and pixels in each format`(size: Size) {
        let jpeg = JPEGSample(width: size.width, height: size.height).bytes
        let png = PNGSample(width: size.width, height: size.height).bytes
        #expect([jpeg, png].map { Self.word($0) } == [size.word, size.word])
        let bits = (size.width - 1) | (size.height - 1) << 14
        let picture = WebPSample.chunk("VP8L", [0x2F] + PictureBytes.littleEndian(bits, 4) + [0])
        let canvas = WebPSample.extended(0, width: size.width, height: size.height)
        for chunks in [[picture], [canvas, picture]] {
            #expect(Self.word(WebPSample(chunks: chunks).bytes) == size.word)
        }
    }

    @Test(.proves("15.3"), .defends("exploding-pictures"))
    func `limits bytes, removed ones included`() {
        let picture = JPEGSample().bytes
        for (bytes, word) in [(5_242_879, nil), (5_242_880, nil), (5_242_881, "bytes")] as [(Int, String?)] {
            let file = picture + [UInt8](repeating: 0, count: bytes - picture.count)
            #expect(Self.word(file) == word, "\(bytes) bytes")
        }
    }

    // MARK: - JPEG

    struct Broken: CustomTestStringConvertible, Sendable {
        let name: String
        let bytes: [UInt8]
        var word = "malformed"
        var testDescription: String { name }
    }

    private static func jpeg(frame: UInt8 = 0xC0, _ change: (inout JPEGSample) -> Void) -> [UInt8] {
        var sample = JPEGSample(frame: frame)
        change(&sample)
        return sample.bytes
    }

    static let broken = [
        Broken(name: "no scan", bytes: jpeg { $0.scans = [] }),
        Broken(name: "a length of 1", bytes: jpeg { $0.applications = [[0xFF, 0xE1, 0, 1]] }),
        Broken(name: "a restart outside a scan", bytes: jpeg { $0.applications = [[0xFF, 0xD0]] }),
        Broken(name: "a second start", bytes: jpeg { $0.applications = [[0xFF, 0xD8]] }),
        Broken(name: "a scan before the frame", bytes: jpeg { $0.applications = [JPEGSample.scan(data: [0])] }),
        Broken(name: "two frames", bytes: jpeg { $0.applications = [frame()] }),
        Broken(
            name: "a frame of a wrong length",
            bytes: jpeg {
                $0.scans = nil
                $0.applications = [frame([0])]
            }
        ),
        Broken(
            name: "a table of a wrong length",
            bytes: jpeg { $0.applications = [JPEGSample.segment(0xDB, [0, 1])] }
        ),
        Broken(
            name: "a table of unknown precision",
            bytes: jpeg {
                $0.applications = [JPEGSample.segment(0xDB, [0x20] + [UInt8](repeating: 1, count: 128))]
            }
        ),
        Broken(name: "a missing quantization table", bytes: jpeg { $0.table = 1 }),
        Broken(
            name: "a scan of a wrong length",
            bytes: jpeg { $0.scans = [JPEGSample.segment(0xDA, [1, 1, 0, 0, 63, 0, 0]) + [0]] }
        ),
        Broken(
            name: "a Huffman table with too many codes",
            bytes: jpeg {
                $0.applications = [JPEGSample.segment(0xC4, [0, 255, 2] + [UInt8](repeating: 0, count: 271))]
            }
        ),
        Broken(
            name: "a restart without an interval",
            bytes: jpeg { $0.scans = [JPEGSample.scan(data: [0, 0xFF, 0xD0, 0])] }
        ),
        Broken(
            name: "restarts out of order",
            bytes: jpeg {
                let interval = JPEGSample.segment(0xDD, [0, 1])
                $0.scans = [interval + JPEGSample.scan(data: [0, 0xFF, 0xD0, 0, 0xFF, 0xD2, 0])]
            }
        ),
        Broken(
            name: "a scan of another component",
            bytes: jpeg { $0.scans = [JPEGSample.segment(0xDA, [1, 2, 0, 0, 63, 0]) + [0]] }
        ),
        Broken(
            name: "a progressive picture without its first scan",
            bytes: jpeg(frame: 0xC2) {
                $0.scans = [JPEGSample.scan(first: 1, last: 5, data: [0])]
            }
        ),
        Broken(
            name: "a progressive scan of all frequencies",
            bytes: jpeg(frame: 0xC2) {
                $0.scans = [JPEGSample.scan(data: [0])]
            }
        ),
        Broken(
            name: "a progressive scan from beyond the highest frequency",
            bytes: jpeg(frame: 0xC2) {
                $0.scans = [JPEGSample.scan(first: 64, last: 63, data: [0])]
            }
        ),
        Broken(
            name: "a progressive scan that ends before it begins",
            bytes: jpeg(frame: 0xC2) {
                $0.scans = [JPEGSample.scan(first: 5, last: 1, data: [0])]
            }
        ),
        Broken(name: "an arithmetic picture", bytes: jpeg(frame: 0xC9) { _ in }, word: "variant"),
        Broken(name: "a lossless picture", bytes: jpeg(frame: 0xC3) { _ in }, word: "variant"),
        Broken(
            name: "201 scans",
            bytes: jpeg { $0.scans = (0...200).map { _ in JPEGSample.scan(data: [0]) } },
            word: "variant"
        ),
    ]

    private static func frame(_ more: [UInt8] = []) -> [UInt8] {
        JPEGSample.segment(0xC0, [8, 0, 8, 0, 16, 1, 1, 0x11, 0] + more)
    }

    @Test(arguments: broken) func `rejects an inconsistent JPEG`(broken: Broken) {
        #expect(Self.word(broken.bytes) == broken.word)
    }

    @Test func `accepts 200 scans`() {
        #expect(Self.word(Self.jpeg { $0.scans = (0..<200).map { _ in JPEGSample.scan(data: [0]) } }) == nil)
    }

    // MARK: - Many parts

    /// Files with a number of parts beside the necessary ones.
    private static let crowds: [(name: String, bytes: @Sendable (Int) -> [UInt8])] = [
        (
            "comments",
            { count in jpeg { $0.applications = Array(repeating: JPEGSample.segment(0xFE, []), count: count) } }
        ),
        ("fill bytes", { count in jpeg { $0.applications = [Array(repeating: 0xFF, count: count)] } }),
        (
            "fill bytes in data",
            { count in
                jpeg { $0.scans = [JPEGSample.scan(data: Array(repeating: 0xFF, count: count) + [0])] }
            }
        ),
        (
            "image data",
            { count in
                var sample = PNGSample()
                sample.data += Array(repeating: PNGSample.chunk("IDAT"), count: count)
                return sample.bytes
            }
        ),
        (
            "unknown chunks",
            { count in
                let unknown = Array(repeating: WebPSample.chunk("none", []), count: count)
                return WebPSample(chunks: [WebPSample.extended(0), WebPSample.lossy] + unknown).bytes
            }
        ),
    ]

    @Test(arguments: crowds.indices) func `rejects a picture of more than 65,536 parts`(index: Int) {
        let crowd = Self.crowds[index]
        #expect(Self.word(crowd.bytes(65_000)) == nil, "\(crowd.name)")
        #expect(Self.word(crowd.bytes(65_537)) == "malformed", "\(crowd.name)")
    }

    // MARK: - Anything

    @Test(.defends("damaged-pictures"), arguments: 0..<20)
    func `rejects damaged pictures or cleans them completely`(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        let files =
            Self.samples + CleanedJPEGTests.phones.map(\.sample.bytes)
            + CleanedWebPTests.cases.map { WebPSample(chunks: $0.sent).bytes }
        for file in files {
            for _ in 0..<20 {
                var damaged = file
                for _ in 0..<Int.random(in: 1...3, using: &numbers) {
                    damaged[.random(in: damaged.indices, using: &numbers)] = .random(in: 0...255, using: &numbers)
                }
                guard let image = try? CleanedImage(cleaning: damaged) else { continue }
                let again = try CleanedImage(cleaning: image.bytes)
                #expect(again == image, "seed \(seed)")
            }
        }
    }
}
