import Foundation

/// A terminal for a program's standard error, with the text that the program shows on it.
struct Terminal {
    struct Unavailable: Error {}

    /// `TIOCSPTLCK` and `TIOCGPTN` of Linux.
    private static let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

    /// The program's end.
    let end: FileHandle
    private let master: FileHandle

    init() throws {
        let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        guard descriptor >= 0 else { throw Unavailable() }
        master = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        // unlockpt and ptsname, which Glibc's module lacks.
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        guard ioctl(descriptor, Self.setLock, &isLocked) == 0, ioctl(descriptor, Self.getNumber, &number) == 0 else {
            throw Unavailable()
        }
        let slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        guard slave >= 0 else { throw Unavailable() }
        end = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
    }

    /// The text shown until `mark` is in it; a terminal ends lines with a carriage return as well.
    func text(until mark: String) -> String {
        var text = ""
        while !text.contains(mark) {
            let data = master.availableData
            if data.isEmpty { break }
            text += String(decoding: data, as: UTF8.self)
        }
        return text
    }
}
