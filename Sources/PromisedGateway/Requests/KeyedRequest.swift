internal import Crypto
internal import PromisedProtocol
internal import PromisedWire

/// A request that creates something once per client key.
protocol KeyedRequest {
    /// The client's key for the request.
    var key: String { get set }
    /// The request as a frame's content.
    var branch: WireRequest { get }
}

extension KeyedRequest {
    /// A hash of the request without its key, stored to distinguish a repetition from a reuse of the key.
    func contentHash() throws(WireError) -> [UInt8] {
        var content = self
        content.key = ""
        // Fields are written in the order of their numbers, so equal content has equal bytes.
        return Array(SHA256.hash(data: try WireCodec.protobuf.encode(WireClientFrame(id: 0, request: content.branch))))
    }
}

extension WireAddFavourite: KeyedRequest { var branch: WireRequest { .addFavourite(self) } }
extension WireCreateVisit: KeyedRequest { var branch: WireRequest { .createVisit(self) } }
extension WireCreateFolder: KeyedRequest { var branch: WireRequest { .createFolder(self) } }
extension WireStartRecording: KeyedRequest { var branch: WireRequest { .startRecording(self) } }
extension WireSaveCourse: KeyedRequest { var branch: WireRequest { .saveCourse(self) } }
extension WireImportCourse: KeyedRequest { var branch: WireRequest { .importCourse(self) } }
extension WireCopyCourse: KeyedRequest { var branch: WireRequest { .copyCourse(self) } }
