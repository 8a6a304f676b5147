import CWebSockets

extension LibraryContext {
    /// Begins to connect a client; nil if the library can't. The library copies the request, so the arguments need not
    /// outlive the call.
    func connect(_ attempt: ClientAttempt, tag: UnsafeMutableRawPointer?) -> OpaquePointer? {
        let request = attempt.request
        let subprotocols = request.subprotocols.joined(separator: ",")
        let texts = [attempt.address, request.path, request.hostHeader, request.origin ?? "", subprotocols]
        let (raw, vhost, policy) = (raw, vhost, policy)
        return Self.withCStrings(texts) { texts in
            var info = lws_client_connect_info()
            info.context = raw
            info.vhost = vhost
            info.retry_and_idle_policy = policy
            info.address = texts[0]
            info.port = Int32(request.port)
            info.path = texts[1]
            info.host = texts[2]
            info.origin = request.origin == nil ? nil : texts[3]
            info.protocol = request.subprotocols.isEmpty ? nil : texts[4]
            info.opaque_user_data = tag
            info.ssl_connection = request.usesTLS ? 1 : 0
            return "client".withCString { name in
                info.local_protocol_name = name
                return "http/1.1".withCString { alpn in
                    info.alpn = alpn
                    return lws_client_connect_via_info(&info)
                }
            }
        }
    }

    private static func withCStrings<Result>(_ texts: [String], _ body: ([UnsafePointer<CChar>]) -> Result) -> Result {
        func step(_ index: Int, _ pointers: [UnsafePointer<CChar>]) -> Result {
            guard index < texts.count else { return body(pointers) }
            return texts[index].withCString { step(index + 1, pointers + [$0]) }
        }
        return step(0, [])
    }
}
