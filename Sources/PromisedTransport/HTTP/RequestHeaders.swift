import CWebSockets

/// The headers of the request (or, at the client, of the answer) that the library has just parsed.
///
/// Valid during a callback only, and only while the library holds headers; without them each reads as absent.
struct RequestHeaders {
    private let wsi: OpaquePointer

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

    /// The minor version of HTTP/1 that the request line names; nil for another version or none.
    var minorVersion: Int? {
        guard let line = self[WSI_TOKEN_HTTP], line.hasPrefix("HTTP/1."), line.utf8.count == 8 else { return nil }
        return line.last?.wholeNumberValue
    }

    /// `true` if the request names one host; HTTP/1.0 may do without (RFC 9112 §3.2).
    var namesOneHost: Bool {
        guard let host = self[WSI_TOKEN_HOST] else { return minorVersion == 0 }
        // The library joins headers of one name by commas, which no host has.
        return !host.utf8.contains(UInt8(ascii: ","))
    }

    /// `true` if the request wants this connection to be upgraded (RFC 6455 §4.2.1). The library compares only as many
    /// characters as a token has, so that `u` and `Up grade` pass.
    var wantsUpgrade: Bool {
        guard let connection = self[WSI_TOKEN_CONNECTION]?.lowercased() else { return false }
        return connection.split { ", \t".contains($0) }.contains("upgrade")
    }

    var announcesBody: Bool {
        if self[WSI_TOKEN_HTTP_TRANSFER_ENCODING] != nil { return true }
        guard let length = self[WSI_TOKEN_HTTP_CONTENT_LENGTH] else { return false }
        return length != "0"
    }

    /// The clients that proxies passed the request on for, as they claim; nil if none says so.
    var forwardedFor: String? { self[WSI_TOKEN_X_FORWARDED_FOR] }

    /// `true` if any header that the library knows shows that a proxy passed the request on. ``RequestHead`` looks for
    /// `Forwarded`, which the library does not know: its functions for such headers (`lws_hdr_custom_*`) are unsafe.
    var isForwarded: Bool {
        [WSI_TOKEN_X_FORWARDED_FOR, WSI_TOKEN_HTTP_X_REAL_IP, WSI_TOKEN_HTTP_VIA].contains { self[$0] != nil }
    }

    /// The IP address of the peer; nil when it is gone already.
    var remoteAddress: String? { IPAddress.ofPeer(socket: lws_get_socket_fd(wsi)) }
}
