package import Foundation
internal import PromisedDomain
package import PromisedJournal
package import PromisedProtocol

extension WireStoredFile {
    package init(_ file: StoredFile) {
        self.init()
        fileID = file.id.wireText
        kind = WireFileKind.Value(file.kind)
        contentType = file.contentType
        bytes = Double(file.bytes)
        sha256 = file.sha256.hexadecimal
        width = UInt32(clamping: file.width)
        height = UInt32(clamping: file.height)
        orientation = UInt32(clamping: file.orientation)
    }
}

extension WirePhoto {
    package init(_ photo: Photo, file: StoredFile) {
        self.init()
        photoID = photo.id.wireText
        self.file = WireStoredFile(file)
        caption = photo.caption.bounded(characters: Photo.longestCaption)
    }
}

extension WireUpload {
    /// An upload, with its file once it is complete.
    package init(_ upload: Upload, file: StoredFile? = nil) {
        self.init()
        uploadID = upload.id.wireText
        offset = Double(upload.offset)
        chunkBytes = UInt32(Upload.chunkBytes)
        expiresAt = WireTimestamp(upload.expiresAt)
        if let file { self.file = WireStoredFile(file) }
    }
}

extension WireFileChunk {
    /// A part of a file.
    package init(_ data: Data, of file: StoredFile, at offset: Int64) {
        self.init()
        fileID = file.id.wireText
        self.offset = Double(offset)
        self.data = data
        bytes = Double(file.bytes)
        contentType = file.contentType
    }
}

extension Upload.Announcement {
    /// The file announced by a request, with its key as received.
    ///
    /// - Throws: ``WireError/invalid(field:)`` for an unknown kind, a size that is not a whole number, a digest that
    ///   does not have 64 hexadecimal digits.
    package init(_ wire: WireBeginUpload) throws(WireError) {
        guard let kind = StoredFile.Kind(wire.kind) else { throw .invalid(field: "kind") }
        guard let bytes = Int64(exactly: wire.bytes) else { throw .invalid(field: "bytes") }
        guard wire.sha256.utf8.count == 64, let sha256 = [UInt8](hexadecimal: wire.sha256) else {
            throw .invalid(field: "sha256")
        }
        self.init(key: wire.key, kind: kind, bytes: bytes, sha256: sha256)
    }
}

extension Photo {
    /// The photos in a request, with captions as received. Throws ``WireError/invalid(field:)`` for too many, and for
    /// an invalid id.
    package static func list(wire choices: [WirePhotoChoice]) throws(WireError) -> [Photo] {
        guard choices.count <= most else { throw .invalid(field: "photos") }
        var photos: [Photo] = []
        for (index, choice) in choices.enumerated() {
            let fileID = try FileID(wire: choice.fileID, field: "photos[\(index)].fileId")
            photos.append(Photo(fileID: fileID, caption: choice.caption))
        }
        return photos
    }
}

extension WireFileKind.Value {
    package init(_ kind: StoredFile.Kind) {
        switch kind {
        case .photo: self = .photo
        case .track: self = .track
        case .export: self = .export
        case .picture: self = .picture
        }
    }
}

extension StoredFile.Kind {
    /// nil for an unspecified or unknown value.
    package init?(_ wire: WireFileKind.Value) {
        guard let kind = Self.allCases.first(where: { WireFileKind.Value($0) == wire }) else { return nil }
        self = kind
    }
}

extension [UInt8] {
    /// Two lower-case hexadecimal digits per byte.
    fileprivate var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The bytes of pairs of hexadecimal digits in either case; nil for anything else.
    fileprivate init?(hexadecimal text: String) {
        var nibbles: [UInt8] = []
        for digit in text.utf8 {
            guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else { return nil }
            nibbles.append(UInt8(value))
        }
        guard nibbles.count.isMultiple(of: 2) else { return nil }
        self = stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
    }
}
