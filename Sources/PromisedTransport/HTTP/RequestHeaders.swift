import CWebSockets

/// The headers that the library has just parsed: of the request, or at the client of the reply.
///
/// Valid only during a callback, and only while the library holds headers; without them, all read as absent.
struct RequestHeaders {
    private let wsi: OpaquePointer

    init(_ wsi: OpaquePointer) { self.wsi = wsi }

    /// The text of a header; nil if it is absent or empty.
    ///
    /// Replaces bytes beyond ASCII, which the headers read here do not need: the cost of a handshake must not depend on
    /// the combining marks in a Unicode text.
    subscript(token: lws_token_indexes) -> String? {
        let length = Int(lws_hdr_total_length(wsi, token))
        guard length > 0 else { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + 1) { buffer in
            let copied = lws_hdr_copy(wsi, buffer.baseAddress, Int32(buffer.count), token)
            guard copied > 0 else { return nil }
            let bytes = UnsafeRawBufferPointer(buffer).prefix(Int(copied))
            // This byte is invalid in UTF-8, so it is decoded as U+FFFD.
            return String(decoding: bytes.map { $0 < 0x80 ? $0 : 0xFF }, as: UTF8.self)
        }
    }

    /// The minor version of HTTP/1 in the request line; nil for another version or none.
    var minorVersion: Int? {
        guard let line = self[WSI_TOKEN_HTTP], line.hasPrefix("HTTP/1."), line.utf8.count == 8 else { return nil }
        return line.last?.wholeNumberValue
    }

    /// `true` if the request names exactly one host; optional in HTTP/1.0 (RFC 9112 §3.2).
    var namesOneHost: Bool {
        guard let host = self[WSI_TOKEN_HOST] else { return minorVersion == 0 }
        // The library joins headers of the same name by commas, which are invalid in a host.
        return !host.utf8.contains(UInt8(ascii: ","))
    }

    /// `true` if the request asks to upgrade this connection (RFC 6455 §4.2.1). The library compares only as many
    /// characters as a token has, so `u` and `Up grade` pass.
    var wantsUpgrade: Bool {
        guard let connection = self[WSI_TOKEN_CONNECTION]?.lowercased() else { return false }
        return connection.split { ", \t".contains($0) }.contains("upgrade")
    }

    var announcesBody: Bool {
        if self[WSI_TOKEN_HTTP_TRANSFER_ENCODING] != nil { return true }
        guard let length = self[WSI_TOKEN_HTTP_CONTENT_LENGTH] else { return false }
        return length != "0"
    }

    /// The clients for whom proxies forwarded the request, as the proxies claim; nil without such a claim.
    var forwardedFor: String? { self[WSI_TOKEN_X_FORWARDED_FOR] }

    /// `true` if any header that the library knows shows that a proxy forwarded the request. ``RequestHead`` checks
    /// `Forwarded`, which the library does not know: its functions for unknown headers (`lws_hdr_custom_*`) are unsafe.
    var isForwarded: Bool {
        [WSI_TOKEN_X_FORWARDED_FOR, WSI_TOKEN_HTTP_X_REAL_IP, WSI_TOKEN_HTTP_VIA].contains { self[$0] != nil }
    }

    /// The IP address of the peer; nil if it has disconnected.
    var remoteAddress: String? { IPAddress.ofPeer(socket: lws_get_socket_fd(wsi)) }
}
