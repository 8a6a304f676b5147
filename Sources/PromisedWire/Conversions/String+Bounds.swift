extension String {
    /// The text as it goes into a frame: one that has more bytes than so many characters may have, 8 for each and at least
    /// 64, is cut off there.
    ///
    /// A server checks texts when they come, so nothing is cut of what it took; an earlier version may have stored longer
    /// ones, and how large a frame is must not depend on that.
    package func bounded(characters: Int) -> String {
        let most = max(64, 8 * characters)
        guard utf8.count > most else { return self }
        var bytes = 0
        let kept = unicodeScalars.prefix { scalar in
            bytes += UTF8.width(scalar)
            return bytes <= most
        }
        return String(kept)
    }
}
