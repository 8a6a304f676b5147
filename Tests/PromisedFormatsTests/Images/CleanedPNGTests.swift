import PromisedFormats
import PromisedTestMarks
import Testing

@Suite struct CleanedPNGTests {
    private static let texts = [
        PNGSample.chunk("tEXt", Array("Comment\0".utf8) + PictureBytes.positionText),
        PNGSample.chunk("zTXt", Array("Comment\0\0".utf8) + PictureBytes.positionText),
        PNGSample.chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + PictureBytes.positionText),
        PNGSample.chunk("tIME", [7, 0xEA, 11, 25, 12, 0, 0]), PNGSample.chunk("eXIf", PictureBytes.tiff()),
        // Unknown and private ones.
        PNGSample.chunk("gPSx", PictureBytes.position), PNGSample.chunk("acTL", [0, 0, 0, 2, 0, 0, 0, 0]),
    ]

    private static let looks = [
        PNGSample.chunk("gAMA", [0, 0, 0xB1, 0x8F]), PNGSample.chunk("cHRM", [UInt8](repeating: 1, count: 32)),
        PNGSample.chunk("sRGB", [0]),
        PNGSample.chunk("iCCP", Array("icc\0\0".utf8) + PictureBytes.zlib(PictureBytes.profile())),
        PNGSample.chunk("tRNS", [0, 7]),
    ]

    @Test(.proves("15.2"), .defends("picture-metadata")) func `removes texts, times and Exif at any position`() throws {
        let sample = PNGSample(before: Self.texts, after: Self.texts, behind: PictureBytes.film)
        #expect(sample.bytes.holdsPosition)
        let image = try CleanedImage(cleaning: sample.bytes)
        #expect(image.bytes == sample.cleaned())
        #expect(!image.bytes.holdsPosition)
        #expect((image.format, image.width, image.height, image.orientation) == (.png, 1, 1, 1))
    }

    @Test(.proves("15.2")) func `keeps colours and transparency`() throws {
        let sample = PNGSample(before: Self.looks + Self.texts)
        #expect(try CleanedImage(cleaning: sample.bytes).bytes == sample.cleaned(keeping: Self.looks))
    }

    @Test func `keeps a palette`() throws {
        let palette = PNGSample.chunk("PLTE", [1, 2, 3, 4, 5, 6])
        let sample = PNGSample(colourType: 3, before: [palette])
        #expect(try CleanedImage(cleaning: sample.bytes).bytes == sample.bytes)
    }

    @Test(
        .proves("15.2"),
        arguments: [
            // The name of a profile, its private parts, and the bytes behind its end and behind its stream.
            ("+37.566535+126.977969/", PictureBytes.zlib(PictureBytes.profile())),
            ("icc", PictureBytes.zlib(PictureBytes.tellingProfile)),
            ("icc", PictureBytes.zlib(PictureBytes.profile() + PictureBytes.position)),
            ("icc", PictureBytes.zlib(PictureBytes.profile()) + PictureBytes.positionText),
        ]
    )
    func `keeps only the colours of a colour profile`(name: String, stream: [UInt8]) throws {
        let sent = PNGSample.chunk("iCCP", Array(name.utf8) + [0, 0] + stream)
        let kept = PNGSample.chunk("iCCP", Array("icc\0\0".utf8) + PictureBytes.zlib(PictureBytes.profile()))
        let sample = PNGSample(before: [Self.looks[0], sent, Self.looks[2]])
        let image = try CleanedImage(cleaning: sample.bytes)
        #expect(image.bytes == sample.cleaned(keeping: [Self.looks[0], kept, Self.looks[2]]))
        #expect(!image.bytes.holdsPosition)
    }

    @Test(
        .proves("15.2"),
        arguments: [
            Array("icc\0\0".utf8) + PictureBytes.positionText,
            Array("icc\0\0".utf8) + PictureBytes.zlib(PictureBytes.position),
            Array("icc\0\u{1}".utf8) + PictureBytes.zlib(PictureBytes.profile()), PictureBytes.position,
            Array("icc\0\0".utf8) + PictureBytes.zlib(PictureBytes.profile()).dropLast(20),
            [0, 0] + PictureBytes.zlib(PictureBytes.profile()), Array("icc\0\0".utf8) + PNGSample.pixel,
            Array("icc\0\0".utf8) + PictureBytes.zlib(PictureBytes.profile([("desc", PictureBytes.positionText)])),
        ]
    )
    func `removes an invalid colour profile`(content: [UInt8]) throws {
        let sample = PNGSample(before: [PNGSample.chunk("iCCP", content), Self.looks[0]])
        #expect(try CleanedImage(cleaning: sample.bytes).bytes == sample.cleaned(keeping: [Self.looks[0]]))
    }

    @Test(
        .proves("15.2"),
        arguments: [
            [PNGSample.pixel + PictureBytes.positionText], [PNGSample.pixel, PictureBytes.positionText],
            [Array(PNGSample.pixel[..<6]), PNGSample.pixel[6...] + PictureBytes.position, PictureBytes.positionText],
            [Array(PNGSample.pixel[..<9]), Array(PNGSample.pixel[9...]), [], PictureBytes.positionText],
        ]
    )
    func `cuts the image data at the end of their stream`(pieces: [[UInt8]]) throws {
        let sample = PNGSample(data: pieces.map { PNGSample.chunk("IDAT", $0) })
        #expect(sample.bytes.holdsPosition)
        let image = try CleanedImage(cleaning: sample.bytes)
        var kept: [[UInt8]] = []
        var left = PNGSample.pixel.count
        for piece in pieces where left > 0 {
            kept.append(PNGSample.chunk("IDAT", Array(piece.prefix(left))))
            left -= piece.count
        }
        #expect(image.bytes == PNGSample(data: kept).bytes)
        #expect(!image.bytes.holdsPosition)
    }

    @Test func `rejects surplus rows`() {
        // A row of one pixel, and a text behind it in the same stream.
        let sample = PNGSample(data: [PNGSample.chunk("IDAT", PictureBytes.zlib([0, 0] + PictureBytes.positionText))])
        #expect(throws: ImageProblem.self) { try CleanedImage(cleaning: sample.bytes) }
        let broken = PNGSample(data: [PNGSample.chunk("IDAT", PictureBytes.positionText)])
        #expect(throws: ImageProblem.self) { try CleanedImage(cleaning: broken.bytes) }
    }

    @Test(arguments: [(8, 8, 79), (1, 1, 2), (3, 5, 25), (5, 1, 9)])
    func `an interlaced picture has rows in seven passes`(width: Int, height: Int, bytes: Int) throws {
        for (extra, isTaken) in [(0, true), (1, false)] {
            let rows = PictureBytes.zlib([UInt8](repeating: 0, count: bytes + extra))
            let data = [PNGSample.chunk("IDAT", rows)]
            let sample = PNGSample(width: width, height: height, interlace: 1, data: data)
            #expect(((try? CleanedImage(cleaning: sample.bytes)) != nil) == isTaken, "\(bytes + extra) bytes")
        }
    }

    @Test func `keeps data in several chunks`() throws {
        let pieces = [PNGSample.pixel[..<3], PNGSample.pixel[3..<3], PNGSample.pixel[3...]]
        let sample = PNGSample(data: pieces.map { PNGSample.chunk("IDAT", Array($0)) })
        #expect(try CleanedImage(cleaning: sample.bytes).bytes == sample.bytes)
    }

    struct Broken: CustomTestStringConvertible, Sendable {
        let name: String
        let sample: PNGSample
        var testDescription: String { name }
    }

    static let broken = [
        Broken(name: "no data", sample: PNGSample(data: [])),
        Broken(
            name: "data in two places",
            sample: PNGSample(
                data: [
                    PNGSample.chunk("IDAT", PNGSample.pixel), PNGSample.chunk("tEXt"),
                    PNGSample.chunk("IDAT", PNGSample.pixel),
                ]
            )
        ),
        Broken(name: "no palette", sample: PNGSample(colourType: 3)),
        Broken(name: "a palette of grey", sample: PNGSample(before: [PNGSample.chunk("PLTE", [1, 2, 3])])),
        Broken(
            name: "a palette of four bytes",
            sample: PNGSample(colourType: 3, before: [PNGSample.chunk("PLTE", [1, 2, 3, 4])])
        ),
        Broken(name: "a second header", sample: PNGSample(before: [PNGSample().header])),
        Broken(name: "two gammas", sample: PNGSample(before: [looks[0], looks[0]])),
        Broken(name: "a gamma behind the data", sample: PNGSample(after: [looks[0]])),
        Broken(name: "a gamma of three bytes", sample: PNGSample(before: [PNGSample.chunk("gAMA", [1, 2, 3])])),
        Broken(name: "an unknown critical chunk", sample: PNGSample(before: [PNGSample.chunk("CgBI", [1])])),
        Broken(name: "a type that is no text", sample: PNGSample(before: [PNGSample.chunk("te t", [1])])),
        Broken(name: "a depth that does not exist", sample: PNGSample(depth: 3)),
        Broken(name: "a type of colour that does not exist", sample: PNGSample(colourType: 1)),
        Broken(name: "an interlace method that does not exist", sample: PNGSample(interlace: 2)),
        Broken(name: "no columns", sample: PNGSample(width: 0)),
    ]

    @Test(arguments: broken) func `rejects an inconsistent picture`(broken: Broken) {
        let error = #expect(throws: ImageProblem.self) { try CleanedImage(cleaning: broken.sample.bytes) }
        #expect(error?.reason == .malformed)
    }

    @Test func `detects a change of any byte before the end`() {
        let bytes = PNGSample(before: Self.looks).bytes
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            #expect(throws: ImageProblem.self, "byte \(index)") { try CleanedImage(cleaning: changed) }
        }
    }
}
