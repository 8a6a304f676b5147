/// URL templates of map tiles, such as `https://tiles.example/{z}/{x}/{y}.png`.
package enum TileTemplate {
    /// Whether a text is one: `http://` or `https://`, a host, and `{z}`, `{x}` and `{y}` in the path.
    package static func isValid(_ text: String) -> Bool {
        guard let source = source(of: text) else { return false }
        let path = text.dropFirst(source.count)
        let isPlain = text.unicodeScalars.allSatisfy { $0.isASCII && $0.value > 0x20 && $0.value != 0x7F }
        return isPlain && ["{z}", "{x}", "{y}"].allSatisfy(path.contains)
    }

    /// Where its tiles come from, as a source of a Content-Security-Policy: scheme, host and port, a leading `{s}` as
    /// the wildcard; nil when the text has no such beginning.
    package static func source(of template: String) -> String? {
        guard let scheme = ["https://", "http://"].first(where: template.hasPrefix) else { return nil }
        let authority = template.dropFirst(scheme.count).prefix { $0 != "/" }
        let host = authority.hasPrefix("{s}.") ? authority.dropFirst(4) : authority
        guard let origins = OriginText.parse(scheme + host), origins.count == 1 else { return nil }
        return scheme + (authority.hasPrefix("{s}.") ? "*." : "") + host
    }
}
