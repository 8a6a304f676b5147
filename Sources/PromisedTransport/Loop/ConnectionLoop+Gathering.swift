extension ConnectionLoop {
    /// The more connections there are the longer events gather; not while a long message comes in. Without libev each is
    /// dealt with when it comes.
    func adjustGathering() {
        gather(for: isLongMessageComing ? .zero : end.gathering.span(connections: table.count))
        isLongMessageComing = false
    }

    /// A piece of a long message came. The library reads it in small pieces, one at each turn of the loop: until the next
    /// tick but one no turn waits.
    func longMessageComes() {
        isLongMessageComing = true
        gather(for: .zero)
    }

    private func gather(for span: Duration) {
        guard span != gathering, let eventLoop, let library = EventLibrary.installed else { return }
        gathering = span
        library.gather(span, on: eventLoop)
    }
}

extension LoopEnd {
    /// A server's clients expect an answer at once, or what they see every few seconds: 5 ms are little beside both.
    /// Clients, of which many in one process are a test, must not find it slower than it is.
    fileprivate var gathering: EventGathering {
        EventGathering(longest: isServer ? .milliseconds(5) : .milliseconds(1))
    }
}
