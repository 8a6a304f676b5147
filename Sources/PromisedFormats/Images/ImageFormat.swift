/// The supported formats of pictures.
package enum ImageFormat: String, Hashable, Sendable, CaseIterable {
    /// ITU-T T.81 in a file of JFIF or Exif.
    case jpeg
    /// W3C PNG, third edition.
    case png
    /// RFC 9649.
    case webP = "webp"

    /// The format by the first bytes of a file; nil for any other.
    package init?(sniffing bytes: some Collection<UInt8>) {
        let start = Array(bytes.prefix(12))
        if start.starts(with: JPEGMarker.signature) {
            self = .jpeg
        } else if start.starts(with: PNGChunk.signature) {
            self = .png
        } else if start.starts(with: WebPChunk.riff), start.dropFirst(8).elementsEqual(WebPChunk.webP) {
            self = .webP
        } else {
            return nil
        }
    }

    /// The media type.
    package var contentType: String { "image/\(rawValue)" }
}
