/// Counts received messages that are not processed, and advises when to stop and resume reading.
///
/// Reading stops when either count reaches its high mark, and resumes when both are at half of it or less. So one
/// connection can make the process hold at most the byte mark plus one message and one read of the library.
package struct InboundMeter {
    /// The change to reading.
    package enum Advice: Equatable, Sendable {
        /// No change.
        case unchanged
        /// Stop reading.
        case pause
        /// Resume reading.
        case resume
    }

    private let byteMark: Int
    private let frameMark: Int

    /// Bytes received and not yet processed.
    package private(set) var bytes = 0
    /// Messages received and not yet processed.
    package private(set) var frames = 0
    /// `true` while reading is stopped.
    package private(set) var isPaused = false

    /// A meter at zero with these high marks.
    package init(byteMark: Int, frameMark: Int) {
        self.byteMark = byteMark
        self.frameMark = frameMark
    }

    /// Records that a message of `count` bytes arrived.
    package mutating func received(_ count: Int) -> Advice {
        bytes += count
        frames += 1
        guard !isPaused, bytes >= byteMark || frames >= frameMark else { return .unchanged }
        isPaused = true
        return .pause
    }

    /// Records that a message of `count` bytes was processed; limited to what arrived.
    package mutating func processed(_ count: Int) -> Advice {
        bytes = max(0, bytes - count)
        frames = max(0, frames - 1)
        guard isPaused, bytes <= byteMark / 2, frames <= frameMark / 2 else { return .unchanged }
        isPaused = false
        return .resume
    }
}
