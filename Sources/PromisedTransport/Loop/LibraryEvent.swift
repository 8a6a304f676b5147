import CWebSockets
internal import PromisedConcurrency

struct LibraryEvent: @unchecked Sendable {
    // Safe to share: created and used on the service thread within one call; `Sendable` only lets it cross into the
    // actor whose executor that thread is.

    let reason: lws_callback_reasons
    let wsi: OpaquePointer
    /// The library's memory for the connection; in callbacks about TLS, OpenSSL's context.
    let user: UnsafeMutableRawPointer?
    /// The callback's input, valid during the call.
    let input: UnsafeMutableRawPointer?
    /// The size of the input in bytes.
    let length: Int

    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(
            start: UnsafePointer(input?.assumingMemoryBound(to: UInt8.self)),
            count: input == nil ? 0 : length
        )
    }

    /// The connection as a socket.
    var socket: LibrarySocket { LibrarySocket(wsi) }
}

/// Receives all callbacks of the library. Most reasons are ignored without entering the actor.
func libraryCalled(
    _ wsi: OpaquePointer?,
    _ reason: lws_callback_reasons,
    _ user: UnsafeMutableRawPointer?,
    _ input: UnsafeMutableRawPointer?,
    _ length: Int
) -> Int32 {
    guard ConnectionLoop.concerns(reason), let wsi, let context = lws_get_context(wsi),
        let owner = lws_context_user(context)
    else { return 0 }
    let event = LibraryEvent(reason: reason, wsi: wsi, user: user, input: input, length: length)
    // The loop outlives its context: the thread that runs it retains it.
    let loop = Unmanaged<ConnectionLoop>.fromOpaque(owner).takeUnretainedValue()
    return loop.entered(with: event) { $0.handle($1) }
}

/// Receives ticks of the library's ticker.
func loopTicked(_ user: UnsafeMutableRawPointer?) {
    guard let user else { return }
    let loop = Unmanaged<ConnectionLoop>.fromOpaque(user).takeUnretainedValue()
    loop.assumeIsolated { $0.tick() }
}
