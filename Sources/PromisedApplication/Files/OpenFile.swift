// Both modules have the C library's `stat`; the compiler picks the one that it loads first.
internal import CoreFoundation
internal import Glibc

/// An open file of the file system; closed when it is no longer referenced.
final class OpenFile: Sendable {
    /// The path with which it was opened.
    let path: String
    private let descriptor: Int32
    private let isDraft: Bool

    /// Opens a file, mode 0600 if it creates one; does not follow symbolic links, nor wait for the other end of a pipe.
    /// Throws `missing` if it does not exist, `irregular` for anything but a regular file.
    ///
    /// - Parameter isDraft: `true` for a file that is deleted at the end unless it got another name.
    init(_ path: String, _ flags: Int32, isDraft: Bool = false) throws(FileStorageError) {
        descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            // ENXIO: the pipe has no reader.
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
        // The disk may be full, so a draft is deleted at once; if that fails, the sweep deletes it later.
        if isDraft { _ = unlink(path) }
        close(descriptor)
    }

    /// In bytes.
    var size: Int64 {
        get throws(FileStorageError) {
            let size = Int64(lseek(descriptor, 0, SEEK_END))
            guard size >= 0 else { throw .last }
            return size
        }
    }

    /// Truncates the file, or extends it with zeros.
    func truncate(to size: Int64) throws(FileStorageError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw .last }
    }

    /// Waits until the written data is on disk.
    func sync() throws(FileStorageError) {
        guard fsync(descriptor) == 0 else { throw .last }
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(FileStorageError) {
        var failure: FileStorageError?
        bytes.withUnsafeBytes { buffer in
            do throws(FileStorageError) { try write(buffer, at: offset) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    @Sendable
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileStorageError) {
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
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(FileStorageError) {
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
