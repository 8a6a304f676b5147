/// Counts how many windows of promises share an instant (domain §4).
package enum WindowOverlap {
    /// The largest number of `windows` that contain the same instant of `window`; 0 if none does.
    ///
    /// A window excludes its end, so adjacent windows share no instant. Takes n log n steps for n windows.
    package static func peak(of windows: [Range<Instant>], in window: Range<Instant>) -> Int {
        let parts = windows.map { $0.clamped(to: window) }.filter { !$0.isEmpty }
        let ends = parts.map(\.upperBound).sorted()
        var (peak, begun, ended) = (0, 0, 0)
        for start in parts.map(\.lowerBound).sorted() {
            begun += 1
            while ends[ended] <= start { ended += 1 }
            peak = max(peak, begun - ended)
        }
        return peak
    }
}

extension PromiseLimits {
    /// `true` if a participant of promises with these windows may join another one with the window `window`.
    package static func hasRoom(for window: Range<Instant>, among windows: [Range<Instant>]) -> Bool {
        WindowOverlap.peak(of: windows, in: window) < overlapping
    }
}
