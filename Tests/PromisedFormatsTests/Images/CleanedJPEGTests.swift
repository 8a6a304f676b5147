import PromisedFormats
import PromisedTestMarks
import Testing

@Suite struct CleanedJPEGTests {
    struct Phone: CustomTestStringConvertible, Sendable {
        let name: String
        let sample: JPEGSample
        /// The application segments that stay.
        let kept: [[UInt8]]
        var testDescription: String { name }
    }

    static let phones: [Phone] = {
        let xmp = JPEGSample.segment(0xE1, "http://ns.adobe.com/xap/1.0/\0", PictureBytes.positionText)
        let more = JPEGSample.segment(0xE1, "http://ns.adobe.com/xmp/extension/\0", PictureBytes.positionText)
        let iptc = JPEGSample.segment(0xED, "Photoshop 3.0\u{0}8BIM", PictureBytes.positionText)
        let index = JPEGSample.segment(0xE2, "MPF\0", Array("MM".utf8) + PictureBytes.bigEndian(42, 2))
        let note = JPEGSample.segment(0xFE, PictureBytes.positionText)
        let profile = JPEGSample.segment(0xE2, "ICC_PROFILE\0", [1, 1] + PictureBytes.profile())
        var second = JPEGSample(width: 8)
        second.applications = [JPEGSample.exif()]
        return [
            Phone(
                name: "Exif with a position, and XMP in two parts",
                sample: JPEGSample(applications: [JPEGSample.exif(), xmp, more, profile]),
                kept: [JPEGSample.exifLeft(6), profile]
            ),
            Phone(
                name: "IPTC, and MPF with a second picture",
                sample: JPEGSample(
                    applications: [JPEGSample.jfif, JPEGSample.exif(isBigEndian: false), iptc, index, profile, note],
                    behind: [0, 0] + second.bytes
                ),
                kept: [JPEGSample.jfif, JPEGSample.exifLeft(6), profile]
            ),
            Phone(
                name: "a film behind the end",
                sample: JPEGSample(
                    applications: [JPEGSample.exif(orientation: 3), JPEGSample.adobe, xmp],
                    behind: PictureBytes.film + Array("MotionPhoto_Data".utf8)
                ),
                kept: [JPEGSample.exifLeft(3), JPEGSample.adobe]
            ),
        ]
    }()

    @Test(.proves("15.2"), .defends("picture-metadata"), arguments: phones)
    func `removes the position from a phone's picture and keeps its look`(phone: Phone) throws {
        #expect(phone.sample.bytes.holdsPosition)
        let image = try CleanedImage(cleaning: phone.sample.bytes)
        #expect(image.bytes == phone.sample.cleaned(keeping: phone.kept))
        #expect(!image.bytes.holdsPosition)
        #expect((image.format, image.width, image.height) == (.jpeg, 16, 8))
        #expect(image.format.contentType == "image/jpeg")
    }

    @Test(.proves("15.2"), arguments: 0...9) func `keeps only the orientations 2 to 8 of Exif`(orientation: Int) throws
    {
        let sample = JPEGSample(applications: [JPEGSample.exif(orientation: orientation)])
        let image = try CleanedImage(cleaning: sample.bytes)
        let stays = (2...8).contains(orientation)
        #expect(image.orientation == (stays ? orientation : 1))
        #expect(image.bytes == sample.cleaned(keeping: stays ? [JPEGSample.exifLeft(UInt8(orientation))] : []))
    }

    @Test(arguments: [(4, 1), (1, 1), (3, 2), (3, 0)])
    func `ignores an orientation of another type or number`(type: Int, count: Int) throws {
        let tiff = PictureBytes.tiff(type: type, count: count)
        let sample = JPEGSample(applications: [JPEGSample.segment(0xE1, "Exif\0\0", tiff)])
        #expect(try CleanedImage(cleaning: sample.bytes).bytes == sample.cleaned())
    }

    @Test func `omits damaged Exif, and reads only the first`() throws {
        let tiff = PictureBytes.tiff()
        for length in 0..<34 {
            let cut = JPEGSample.segment(0xE1, "Exif\0\0", Array(tiff.prefix(length)))
            let sample = JPEGSample(applications: [cut, JPEGSample.exif()])
            #expect(try CleanedImage(cleaning: sample.bytes).bytes == sample.cleaned(), "\(length) bytes")
        }
    }

    @Test func `removes the thumbnail of JFIF and its extension`() throws {
        let thumbnail = JPEGSample.segment(0xE0, "JFIF\0", [1, 2, 1, 0, 72, 0, 72, 1, 1, 9, 9, 9])
        let kept = JPEGSample.segment(0xE0, "JFIF\0", [1, 2, 1, 0, 72, 0, 72, 0, 0])
        let sample = JPEGSample(applications: [thumbnail, JPEGSample.segment(0xE0, "JFXX\0", [0x13, 1, 1, 9, 9, 9])])
        #expect(try CleanedImage(cleaning: sample.bytes).bytes == sample.cleaned(keeping: [kept]))
    }

    @Test func `keeps a profile in several segments of any order`() throws {
        let profile = PictureBytes.profile(length: 100_000)
        func piece(_ number: UInt8, _ bytes: ArraySlice<UInt8>, of count: UInt8 = 2) -> [UInt8] {
            JPEGSample.segment(0xE2, "ICC_PROFILE\0", [number, count] + bytes)
        }
        let pieces = [piece(1, profile[..<65_519]), piece(2, profile[65_519...])]
        let whole = JPEGSample(applications: pieces.reversed())
        #expect(try CleanedImage(cleaning: whole.bytes).bytes == whole.cleaned(keeping: pieces))
        for broken in [[pieces[0]], [pieces[0], pieces[0]], [pieces[0], piece(2, profile[65_519...], of: 3)]] {
            let sample = JPEGSample(applications: broken)
            #expect(try CleanedImage(cleaning: sample.bytes).bytes == sample.cleaned())
        }
    }

    @Test func `cuts bytes after a colour profile's end`() throws {
        let padded = JPEGSample.segment(0xE2, "ICC_PROFILE\0", [1, 1] + PictureBytes.profile() + PictureBytes.position)
        let sample = JPEGSample(applications: [padded])
        let kept = JPEGSample.segment(0xE2, "ICC_PROFILE\0", [1, 1] + PictureBytes.profile())
        #expect(try CleanedImage(cleaning: sample.bytes).bytes == sample.cleaned(keeping: [kept]))
    }

    @Test(.proves("15.2")) func `keeps only the colours of a colour profile`() throws {
        let kept = JPEGSample.segment(0xE2, "ICC_PROFILE\0", [1, 1] + PictureBytes.profile())
        for (profile, stays) in [
            (PictureBytes.tellingProfile, true), (PictureBytes.profile([("desc", PictureBytes.positionText)]), false),
            (PictureBytes.profile().prefix(132) + PictureBytes.positionText, false), (PictureBytes.position, false),
        ] {
            let sample = JPEGSample(applications: [JPEGSample.segment(0xE2, "ICC_PROFILE\0", [1, 1] + profile)])
            #expect(sample.bytes.holdsPosition)
            let image = try CleanedImage(cleaning: sample.bytes)
            #expect(image.bytes == sample.cleaned(keeping: stays ? [kept] : []))
            #expect(!image.bytes.holdsPosition)
        }
    }

    // MARK: - Pictures that every viewer shows

    @Test(.proves("15.7")) func `adds a missing end marker`() throws {
        let sample = JPEGSample(width: 40, height: 16, applications: [JPEGSample.exif()])
        let whole = Array(sample.bytes.dropLast(2))
        let expected = sample.cleaned(keeping: [JPEGSample.exifLeft(6)])
        let trailer = Array("SEFT".utf8) + PictureBytes.positionText
        for behind in [
            [], [0xFF], trailer, [0xFF, 0xD8] + PictureBytes.film, JPEGSample.exif(), [0, 0, 0, 0xFF, 0xFF],
        ] {
            let image = try CleanedImage(cleaning: whole + behind)
            #expect(image.bytes == expected, "\(behind.prefix(9))")
            #expect((image.width, image.height, image.orientation) == (40, 16, 6))
        }
    }

    @Test(.proves("15.3")) func `rejects a picture truncated in its data`() {
        for width in [8, 40, 2_000] {
            let sample = JPEGSample(width: width, height: 16)
            let whole = sample.bytes.dropLast(2)
            let data = (width + 7) / 8 * 2
            for missing in 1...(data + 3) / 4 {
                #expect(throws: ImageProblem.truncated, "\(missing) bytes") {
                    try CleanedImage(cleaning: Array(whole.dropLast(missing)))
                }
            }
        }
    }

    @Test func `counts restarts and scans of one component`() throws {
        var sample = JPEGSample(width: 8 * 20)
        let interval = JPEGSample.segment(0xDD, [0, 4])
        let data: [UInt8] = (UInt8(0)..<4).flatMap { [0x00, 0xFF, 0xD0 + $0] as [UInt8] } + [0x00]
        sample.scans = [interval + JPEGSample.scan(data: data)]
        #expect(try CleanedImage(cleaning: Array(sample.bytes.dropLast(2))).bytes == sample.cleaned())
        for missing in 1...4 {
            #expect(throws: ImageProblem.truncated) {
                try CleanedImage(cleaning: Array(sample.bytes.dropLast(2 + missing)))
            }
        }
    }

    @Test func `rejects a progressive picture without an end marker, which can lack scans`() {
        var sample = JPEGSample(frame: 0xC2)
        sample.scans = [JPEGSample.scan(last: 0, data: [0x3F])]
        #expect(throws: ImageProblem.truncated) { try CleanedImage(cleaning: Array(sample.bytes.dropLast(2))) }
    }

    @Test(.proves("15.7")) func `omits bytes between segments`() throws {
        for stray in [
            [0], [1, 2, 3], [0xFF, 0, 0xFF, 0], [UInt8](repeating: 0, count: 70_000), PictureBytes.positionText,
        ] {
            let sample = JPEGSample(applications: [JPEGSample.jfif + stray, JPEGSample.exif() + stray])
            let kept = [JPEGSample.jfif, JPEGSample.exifLeft(6)]
            let image = try CleanedImage(cleaning: sample.bytes)
            #expect(image.bytes == sample.cleaned(keeping: kept))
        }
    }

    @Test(.proves("15.7")) func `accepts the panorama of the field trial and adds its end`() throws {
        let image = try CleanedImage(cleaning: FieldSamples.bytes("30-no-end-marker.jpg"))
        #expect(image.format == .jpeg && image.bytes.suffix(2) == [0xFF, 0xD9])
        #expect(try CleanedImage(cleaning: image.bytes) == image)
        let sent = try FieldSamples.bytes("30-no-end-marker.jpg")
        for missing in [2, 20, 60] {
            #expect(throws: ImageProblem.self) { try CleanedImage(cleaning: Array(sent.dropLast(missing))) }
        }
    }

    @Test func `a progressive picture keeps its scans, with segments of any kind between them`() throws {
        var sample = JPEGSample(frame: 0xC2)
        let scans =
            [JPEGSample.scan(last: 0, data: [0x3F])]
            + (1...20).map { JPEGSample.scan(first: 1, last: 63, data: [UInt8($0), 0xFF, 0x00, 0x7F]) }
        sample.scans = scans
        let clean = sample.cleaned()
        sample.scans = scans.map { $0 + JPEGSample.segment(0xFE, PictureBytes.positionText) + JPEGSample.exif() }
        let image = try CleanedImage(cleaning: sample.bytes)
        #expect(image.orientation == 6)
        #expect(image.bytes == [0xFF, 0xD8] + JPEGSample.exifLeft(6) + clean.dropFirst(2))
    }

    @Test func `keeps restart markers and removes fill bytes`() throws {
        var sample = JPEGSample(width: 8 * 20)
        let restarts = (UInt8(0)..<19).flatMap { [0x3F, 0xFF, 0xD0 + $0 % 8] as [UInt8] }
        let blocks = restarts + [0x3F]
        let interval = JPEGSample.segment(0xDD, [0, 1])
        sample.scans = [interval + JPEGSample.scan(data: blocks)]
        let clean = sample.cleaned()
        #expect(try CleanedImage(cleaning: sample.bytes).bytes == clean)

        let filled: [UInt8] = blocks.flatMap { $0 == 0xFF ? [0xFF, 0xFF, 0xFF] : [$0] } + [0xFF, 0xFF]
        sample.scans = [[0xFF, 0xFF] + interval + JPEGSample.scan(data: filled)]
        #expect(try CleanedImage(cleaning: sample.bytes).bytes == clean)
    }
}
