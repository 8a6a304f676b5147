// The C library's `stat` belongs to whichever of the modules the compiler loads first.
internal import CoreFoundation
internal import Glibc

/// A file of the file system, open until nothing refers to it.
final class OpenFile: Sendable {
    /// The path that it was opened by.
    let path: String
    private let descriptor: Int32
    private let isDraft: Bool

    /// Opens a file, mode 0600 if it is made; does not follow symbolic links, nor wait for the other end of a pipe. Throws
    /// `missing` if there is none, `irregular` for anything that is no file of its own.
    ///
    /// - Parameter isDraft: `true` for one that is deleted in the end unless it got another name.
    init(_ path: String, _ flags: Int32, isDraft: Bool = false) throws(FileVaultError) {
        descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            // ENXIO: nothing reads the pipe.
            throw errno == ENOENT ? .missing : [ELOOP, EISDIR, ENXIO, ENODEV].contains(errno) ? .irregular : .last
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .irregular
        }
        self.path = path
        self.isDraft = isDraft
    }

    deinit {
        // The disk may be full, so that a draft goes at once; if it cannot, it is swept later.
        if isDraft { _ = unlink(path) }
        close(descriptor)
    }

    /// Its size in bytes.
    var size: Int64 {
        get throws(FileVaultError) {
            let size = Int64(lseek(descriptor, 0, SEEK_END))
            guard size >= 0 else { throw .last }
            return size
        }
    }

    /// Cuts it, or extends it by zeros.
    func truncate(to size: Int64) throws(FileVaultError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw .last }
    }

    /// Waits until the disk has what was written.
    func sync() throws(FileVaultError) {
        guard fsync(descriptor) == 0 else { throw .last }
    }

    /// Writes bytes.
    func write(_ bytes: [UInt8], at offset: Int) throws(FileVaultError) {
        var failure: FileVaultError?
        bytes.withUnsafeBytes { buffer in
            do throws(FileVaultError) { try write(buffer, at: offset) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Writes bytes.
    @Sendable
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileVaultError) {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + written))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .last }
            written += count
        }
    }

    /// Fills a buffer. Throws `missing` beyond the end.
    @Sendable
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(FileVaultError) {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .last }
            guard count > 0 else { throw .missing }
            done += count
        }
    }
}
