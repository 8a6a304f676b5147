/// Networks as a list in one text.
package enum NetworkText {
    /// Reads networks separated by commas, spaces around them left out.
    ///
    /// - Returns: nil when one is none or appears twice; an empty list for an empty text.
    package static func parse(_ text: String) -> [AddressRange]? {
        guard text.contains(where: { !$0.isWhitespace }) else { return [] }
        var networks: [AddressRange] = []
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = item.split(whereSeparator: \.isWhitespace)
            guard words.count == 1, let network = AddressRange(words[0]), !networks.contains(network) else {
                return nil
            }
            networks.append(network)
        }
        return networks
    }
}
