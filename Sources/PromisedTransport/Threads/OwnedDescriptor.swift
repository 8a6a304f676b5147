import Glibc

/// A file descriptor that is closed when nobody has it any more.
struct OwnedDescriptor: ~Copyable {
    private let descriptor: Int32

    /// Takes a descriptor over.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Hands the descriptor over to who closes it from now on.
    consuming func release() -> Int32 {
        let released = descriptor
        discard self
        return released
    }
}
