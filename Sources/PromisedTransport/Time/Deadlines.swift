/// The deadlines of one connection.
///
/// ```
///            opened          beginClose
/// handshake ───────► open ───────────────► closing
///     │ beginResponse
///     └────────────► responding
/// ```
/// Pure: it receives events with their time, and returns what is due. A due ping is reported once and recorded as sent;
/// after a verdict that ends the connection, the caller calls ``beginClose(at:)`` or cuts it. The verdict `cut` is
/// repeated at each check until the connection has ended.
package struct Deadlines {
    /// The consequence of a passed deadline.
    package enum Verdict: Equatable, Sendable {
        case ping
        /// The peer was silent for too long.
        case silent
        /// The connection was not admitted in time.
        case notAdmitted
        /// A message was not completed in time.
        case messageTooSlow
        /// The handshake, the reply or the close took too long, or the attempt was abandoned: cut the connection.
        case cut
    }

    private enum Phase {
        case handshake, responding, open, closing
    }

    private let shared: Shared<DeadlineTerms>
    private var phase = Phase.handshake
    private var phaseBegan: LoopInstant
    private var lastHeard: LoopInstant
    private var lastPing: LoopInstant
    /// The earliest time at which a ping may accompany another frame.
    private var earliestPing = LoopInstant(milliseconds: .max)
    private var messageBegan: LoopInstant?
    /// The time of the next check; timers for other instants are obsolete.
    private var timer: LoopInstant?
    private var isAdmitted = false
    private var isDeaf = false

    /// The deadlines of a connection whose handshake begins at `instant`.
    package init(terms: Shared<DeadlineTerms>, at instant: LoopInstant) {
        shared = terms
        phaseBegan = instant
        lastHeard = instant
        lastPing = instant
    }

    // MARK: - What happens

    /// Records that the handshake is done.
    package mutating func opened(at instant: LoopInstant) {
        guard phase != .closing else { return }
        enter(.open, at: instant)
        lastHeard = instant
        notePing(at: instant)
    }

    /// Records that the reply to a plain request is being written.
    package mutating func beginResponse(at instant: LoopInstant) {
        guard phase != .closing else { return }
        enter(.responding, at: instant)
    }

    /// Records that the connection is being closed.
    package mutating func beginClose(at instant: LoopInstant) {
        guard phase != .closing else { return }
        enter(.closing, at: instant)
    }

    /// Makes the connection due to be cut at once, until it has ended.
    package mutating func giveUp(at instant: LoopInstant) {
        enter(.closing, at: instant.advanced(byMilliseconds: -terms.close))
    }

    /// Records a sign of life of the peer.
    package mutating func heard(at instant: LoopInstant) { lastHeard = instant }

    /// Removes the admission deadline of a peer that has signed in.
    package mutating func admitted() { isAdmitted = true }

    /// Records if a message is incomplete.
    package mutating func setMessageIncomplete(_ isIncomplete: Bool, at instant: LoopInstant) {
        guard isIncomplete else {
            messageBegan = nil
            return
        }
        if messageBegan == nil { messageBegan = instant }
    }

    /// Records that reading stops or resumes. While it is stopped, the peer cannot be heard, so its silence does not
    /// count.
    package mutating func setReadingPaused(_ isPaused: Bool, at instant: LoopInstant) {
        isDeaf = isPaused
        guard !isPaused else { return }
        lastHeard = instant
        if messageBegan != nil { messageBegan = instant }
    }

    // MARK: - What is due

    /// The next deadline in the current state; nil for never.
    package var next: LoopInstant? {
        switch phase {
        case .handshake: phaseBegan.advanced(byMilliseconds: terms.handshake)
        case .responding: phaseBegan.advanced(byMilliseconds: terms.response)
        case .closing: phaseBegan.advanced(byMilliseconds: terms.close)
        case .open: earlier(earlier(admissionDeadline, silenceDeadline), earlier(messageDeadline, nextPing))
        }
    }

    /// The verdict at `instant`, the most serious one; nil if no deadline has passed. Records a ping as sent.
    package mutating func verdict(at instant: LoopInstant) -> Verdict? {
        guard phase == .open else {
            guard let next, next <= instant else { return nil }
            return .cut
        }
        if let admissionDeadline, admissionDeadline <= instant { return .notAdmitted }
        if let silenceDeadline, silenceDeadline <= instant { return .silent }
        if let messageDeadline, messageDeadline <= instant { return .messageTooSlow }
        guard let nextPing, nextPing <= instant else { return nil }
        notePing(at: instant)
        return .ping
    }

    /// `true` if a ping may accompany frames sent at `instant`, because the next ping is near: in the last quarter of
    /// the interval.
    package func mayPing(at instant: LoopInstant) -> Bool { phase == .open && instant >= earliestPing }

    /// Records that a ping accompanied frames sent at `instant`. It counts from the next check of the deadlines, so
    /// that pings continue to accompany frames on a connection with traffic at the pace of pings.
    package mutating func pinged(at instant: LoopInstant) {
        notePing(at: instant.advanced(byMilliseconds: terms.resolution))
    }

    // MARK: - When to look

    /// The instant of a timer to set so that the connection is checked no later than at its next deadline; nil if an
    /// existing one fires by then. That one is reused, so that a peer cannot accumulate timers.
    package mutating func newTimer() -> LoopInstant? {
        guard let next, timer.map({ next < $0 }) ?? true else { return nil }
        timer = next
        return next
    }

    /// Handles a timer for this instant: `true` if it is the current one, so that the connection must be checked.
    package mutating func hasFired(_ instant: LoopInstant) -> Bool {
        guard timer == instant else { return false }
        timer = nil
        return true
    }

    // MARK: - Internals

    private var terms: DeadlineTerms { shared.value }

    private var admissionDeadline: LoopInstant? {
        guard !isAdmitted, let admission = terms.admission else { return nil }
        return phaseBegan.advanced(byMilliseconds: admission)
    }

    private var silenceDeadline: LoopInstant? {
        guard !isDeaf, let silence = terms.silence else { return nil }
        return lastHeard.advanced(byMilliseconds: silence)
    }

    private var messageDeadline: LoopInstant? {
        guard !isDeaf else { return nil }
        return messageBegan?.advanced(byMilliseconds: terms.message)
    }

    /// Pings are sent at their interval, or else once in each silence, halfway to its end.
    private var nextPing: LoopInstant? {
        if let ping = terms.ping { return lastPing.advanced(byMilliseconds: ping) }
        guard !isDeaf, let inquiry = terms.inquiry else { return nil }
        return max(lastHeard, lastPing).advanced(byMilliseconds: inquiry)
    }

    private mutating func notePing(at instant: LoopInstant) {
        lastPing = instant
        if let earlyPing = terms.earlyPing { earliestPing = instant.advanced(byMilliseconds: earlyPing) }
    }

    private mutating func enter(_ phase: Phase, at instant: LoopInstant) {
        self.phase = phase
        phaseBegan = instant
    }

    /// The earlier of two instants; nil means never.
    private func earlier(_ left: LoopInstant?, _ right: LoopInstant?) -> LoopInstant? {
        guard let left, let right else { return left ?? right }
        return min(left, right)
    }
}
