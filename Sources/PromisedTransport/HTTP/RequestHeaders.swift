import CWebSockets

/// The headers of the request (or, at the client, of the answer) that the library has just parsed.
///
/// Valid during a callback only, and only while the library holds headers; without them each reads as absent.
struct RequestHeaders {
    private let wsi: OpaquePointer
    /// RFC 7239. The library has no token for it; it wants the name with its colon, in lower case.
    private static let forwarded = "forwarded:"

    init(_ wsi: OpaquePointer) { self.wsi = wsi }

    /// The text of a header; nil when it is absent or empty.
    ///
    /// Replaces bytes beyond ASCII, which no header read here needs: the cost of a handshake must not depend on the
    /// marks that a Unicode text may hold.
    subscript(token: lws_token_indexes) -> String? {
        let length = Int(lws_hdr_total_length(wsi, token))
        guard length > 0 else { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + 1) { buffer in
            let copied = lws_hdr_copy(wsi, buffer.baseAddress, Int32(buffer.count), token)
            guard copied > 0 else { return nil }
            let bytes = UnsafeRawBufferPointer(buffer).prefix(Int(copied))
            // No text of UTF-8 has this byte, so it is repaired to U+FFFD.
            return String(decoding: bytes.map { $0 < 0x80 ? $0 : 0xFF }, as: UTF8.self)
        }
    }

    var announcesBody: Bool {
        if self[WSI_TOKEN_HTTP_TRANSFER_ENCODING] != nil { return true }
        guard let length = self[WSI_TOKEN_HTTP_CONTENT_LENGTH] else { return false }
        return length != "0"
    }

    /// The clients that proxies passed the request on for, as they claim; nil if none says so.
    var forwardedFor: String? { self[WSI_TOKEN_X_FORWARDED_FOR] }

    /// `true` if any header shows that a proxy passed the request on.
    var isForwarded: Bool {
        [WSI_TOKEN_X_FORWARDED_FOR, WSI_TOKEN_HTTP_X_REAL_IP, WSI_TOKEN_HTTP_VIA].contains { self[$0] != nil }
            || lws_hdr_custom_length(wsi, Self.forwarded, Int32(Self.forwarded.utf8.count)) >= 0
    }

    /// The IP address of the peer; nil when it is gone already.
    var remoteAddress: String? { IPAddress.ofPeer(socket: lws_get_socket_fd(wsi)) }
}
