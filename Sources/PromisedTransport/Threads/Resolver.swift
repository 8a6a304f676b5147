// Both modules have the C library's network types; the compiler picks those that it loads first.
import CWebSockets
import Glibc

/// Resolves host names, off the cooperative pool.
enum Resolver {
    /// The addresses of `host` as text, at least one, in the order to try; an address is returned unchanged.
    static func addresses(of host: String) async throws(TransportError) -> [String] {
        let literal = lookUp(host, flags: AI_NUMERICHOST).addresses
        if !literal.isEmpty { return literal }
        let outcome = await withCheckedContinuation { continuation in
            let isStarted = NativeThread.run(named: "promised-dns") {
                continuation.resume(returning: lookUp(host, flags: 0))
            }
            if !isStarted { continuation.resume(returning: ([], "no thread for the lookup")) }
        }
        guard !outcome.addresses.isEmpty else { throw .hostNotFound(host: host, text: outcome.text) }
        return outcome.addresses
    }

    private static func lookUp(_ host: String, flags: Int32) -> (addresses: [String], text: String) {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = flags
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, nil, &hints, &list)
        guard code == 0, let list else { return ([], String(cString: gai_strerror(code))) }
        defer { freeaddrinfo(list) }
        let entries = sequence(first: list) { $0.pointee.ai_next }
        return (entries.compactMap(text), "no address")
    }

    private static func text(of entry: UnsafeMutablePointer<addrinfo>) -> String? {
        var storage = sockaddr_storage()
        withUnsafeMutableBytes(of: &storage) { target in
            let bytes = UnsafeRawBufferPointer(start: entry.pointee.ai_addr, count: Int(entry.pointee.ai_addrlen))
            target.copyMemory(from: bytes)
        }
        return IPAddress.text(of: storage)?.host
    }
}
