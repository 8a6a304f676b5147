/// The retained application segments of a JPEG, which are rewritten.
///
/// JFIF (ITU-T T.871) without its thumbnail, the orientation of Exif, the colour profile and Adobe's mark (ITU-T T.872
/// section 6.5.3) affect the appearance of the picture. The first of each kind counts.
struct JPEGApplication {
    /// Up to the size of the thumbnail.
    private static let jfifLength = 12
    private static let adobeLength = 12

    /// 2…8; nil if the picture is stored in the orientation of viewing.
    private(set) var orientation: Int?
    private var jfif: [UInt8]?
    private var adobe: [UInt8]?
    private var profile = JPEGProfile()
    private var hasExif = false

    /// Reads a segment of any kind.
    mutating func read(_ marker: UInt8, _ segment: ByteReader) throws(ImageProblem) {
        var content = segment
        switch marker {
        case 0xE0 where jfif == nil:
            guard try content.starts(with: JPEGMarker.jfif) else { return }
            // The last two bytes: a thumbnail without columns and rows.
            jfif = try content.take(Self.jfifLength) + [0, 0]
        case 0xE1 where !hasExif:
            guard try content.skip(JPEGMarker.exif) else { return }
            hasExif = true
            orientation = ExifOrientation.read(content)
        case 0xE2:
            if try content.skip(JPEGMarker.profile) { try profile.add(content) }
        case 0xEE where adobe == nil:
            if try content.starts(with: JPEGMarker.adobe) { adobe = try content.take(Self.adobeLength) }
        default: break
        }
    }

    /// Writes the segments with their markers.
    func write(to output: ImageOutput) throws(ImageProblem) {
        var segments: [UInt8] = []
        if let jfif { segments.append(segment: 0xE0, jfif) }
        if let orientation { segments.append(segment: 0xE1, ExifOrientation.segment(orientation)) }
        if let adobe { segments.append(segment: 0xEE, adobe) }
        try output.append(segments)
        try profile.write(to: output)
    }
}
