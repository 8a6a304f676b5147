/// Where somebody was, and when, on the server's clock.
public struct Waypoint: Hashable, Sendable {
    /// Where.
    public let coordinate: Coordinate
    /// When.
    public let time: Instant

    /// That of a fix.
    init(_ fix: SettledFix) {
        coordinate = fix.coordinate
        time = fix.time
    }

    /// That of a fix where somebody set out; when it was received, if it is dated ahead of that.
    init(departure fix: SettledFix) {
        coordinate = fix.coordinate
        time = min(fix.time, fix.receivedAt)
    }
}
