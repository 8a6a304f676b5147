import PromisedFormats
import PromisedTestMarks
import Testing

@Suite struct CleanedWebPTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let sent: [[UInt8]]
        let kept: [[UInt8]]
        var testDescription: String { name }
    }

    private typealias Sample = WebPSample
    private static let metadata = [Sample.exif, Sample.xmp, Sample.chunk("geoX", PictureBytes.position)]

    static let cases = [
        Case(name: "lossy", sent: [Sample.lossy] + metadata, kept: [Sample.lossy]),
        Case(name: "lossless", sent: [Sample.lossless] + metadata, kept: [Sample.lossless]),
        Case(
            name: "extended",
            sent: [Sample.extended(0x2C), Sample.profile, Sample.lossy] + metadata,
            kept: [Sample.extended(0x20), Sample.profile, Sample.lossy]
        ),
        Case(
            name: "extended, metadata before the picture",
            sent: [Sample.extended(0x1C)] + metadata + [Sample.alpha] + metadata + [Sample.lossy],
            kept: [Sample.extended(0x10), Sample.alpha, Sample.lossy]
        ),
        Case(
            name: "extended, with flags for parts that it does not have",
            sent: [Sample.extended(0xED), Sample.lossless],
            kept: [Sample.extended(0x00), Sample.lossless]
        ),
        Case(
            name: "extended, with a profile that is not whole",
            sent: [Sample.extended(0x20), Sample.chunk("ICCP", [1, 2, 3]), Sample.lossy],
            kept: [Sample.extended(0x00), Sample.lossy]
        ),
        Case(
            name: "extended, with a profile that tells a position",
            sent: [Sample.extended(0x20), Sample.chunk("ICCP", PictureBytes.tellingProfile), Sample.lossy],
            kept: [Sample.extended(0x20), Sample.profile, Sample.lossy]
        ),
        Case(
            name: "extended, with a position in place of a profile",
            sent: [Sample.extended(0x20), Sample.chunk("ICCP", PictureBytes.positionText), Sample.lossy],
            kept: [Sample.extended(0x00), Sample.lossy]
        ),
        Case(
            name: "animated",
            sent: [
                Sample.extended(0x1A, width: 3), Sample.animation,
                Sample.frame([Sample.alpha, Sample.lossy] + metadata),
                Sample.frame(metadata + [Sample.lossless], x: 1),
            ] + metadata,
            kept: [
                Sample.extended(0x12, width: 3), Sample.animation, Sample.frame([Sample.alpha, Sample.lossy]),
                Sample.frame([Sample.lossless], x: 1),
            ]
        ),
    ]

    @Test(.proves("15.2"), .defends("picture-metadata"), arguments: cases)
    func `removes the metadata of a picture of any kind`(test: Case) throws {
        let sent = WebPSample(chunks: test.sent, behind: PictureBytes.positionText)
        let image = try CleanedImage(cleaning: sent.bytes)
        #expect(image.bytes == WebPSample(chunks: test.kept).bytes)
        #expect(!image.bytes.holdsPosition)
        #expect((image.format, image.height, image.orientation) == (.webP, 1, 1))
        #expect(image.format.contentType == "image/webp")
    }

    static let broken = [
        Case(name: "no picture", sent: [Sample.extended(0)], kept: []),
        Case(name: "metadata first", sent: [Sample.exif, Sample.lossy], kept: []),
        Case(name: "alpha in a simple file", sent: [Sample.alpha, Sample.lossy], kept: []),
        Case(
            name: "two alpha channels",
            sent: [Sample.extended(0x10), Sample.alpha, Sample.alpha, Sample.lossy],
            kept: []
        ),
        Case(
            name: "alpha before a lossless picture",
            sent: [Sample.extended(0x10), Sample.alpha, Sample.lossless],
            kept: []
        ),
        Case(name: "a canvas larger than the picture", sent: [Sample.extended(0, width: 2), Sample.lossy], kept: []),
        Case(name: "an animation without frames", sent: [Sample.extended(2), Sample.animation], kept: []),
        Case(name: "frames without an animation", sent: [Sample.extended(2), Sample.frame()], kept: []),
        Case(name: "frames without the flag", sent: [Sample.extended(0), Sample.animation, Sample.frame()], kept: []),
        Case(
            name: "a frame beside the canvas",
            sent: [Sample.extended(2, width: 2), Sample.animation, Sample.frame(x: 1)],
            kept: []
        ),
        Case(
            name: "a frame below the canvas",
            sent: [Sample.extended(2), Sample.animation, Sample.frame(y: 1)],
            kept: []
        ),
        Case(
            name: "a frame larger than its picture",
            sent: [Sample.extended(2, width: 2), Sample.animation, Sample.frame(width: 2)],
            kept: []
        ),
        Case(
            name: "a picture that is no key frame",
            sent: [Sample.chunk("VP8 ", [0x31, 1, 0, 0x9D, 1, 0x2A, 1, 0, 1, 0])],
            kept: []
        ),
        Case(
            name: "a lossless picture without its signature",
            sent: [Sample.chunk("VP8L", [0, 0, 0, 0, 0])],
            kept: []
        ),
        Case(
            name: "a lossy picture shorter than its first part",
            sent: [Sample.chunk("VP8 ", [0x30, 1, 0, 0x9D, 1, 0x2A, 1, 0, 1, 0] + [UInt8](repeating: 0, count: 8))],
            kept: []
        ),
        Case(name: "an odd length", sent: [Sample.lossy, [0]], kept: []),
        Case(
            name: "metadata longer than the file",
            sent: [Sample.extended(8), Sample.lossy, Sample.exif.dropLast(2) + []],
            kept: []
        ),
        Case(name: "a chunk longer than the file", sent: [Sample.lossy.dropLast(2) + []], kept: []),
    ]

    @Test(arguments: broken) func `rejects an inconsistent picture`(test: Case) {
        let error = #expect(throws: ImageProblem.self) {
            try CleanedImage(cleaning: WebPSample(chunks: test.sent).bytes)
        }
        #expect(error?.reason == .malformed)
    }
}
