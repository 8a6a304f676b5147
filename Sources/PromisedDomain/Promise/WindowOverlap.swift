/// How many windows of promises have an instant in common (domain §4).
package enum WindowOverlap {
    /// The most of `windows` that contain one instant of `window`; 0 if none does.
    ///
    /// A window excludes its end, so two that only touch have no instant in common. Takes n log n steps for n windows.
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
    /// `true` if somebody in promises with these windows may take part in one more with the window `window`.
    package static func hasRoom(for window: Range<Instant>, among windows: [Range<Instant>]) -> Bool {
        WindowOverlap.peak(of: windows, in: window) < overlapping
    }
}
