import PromisedClient

extension Report {
    /// What a knock at a server's door found.
    static func check(_ address: ServerAddress, _ finding: ServerKnock.Finding) -> Report {
        let (handshake, answer) = (finding.handshake.tenthsOfMilliseconds, finding.answer.tenthsOfMilliseconds)
        let document = CheckDocument(answerMs: answer, handshakeMs: handshake, url: address.description)
        return Report(Document(document)) { _ in
            "\(address) is reachable: handshake \(handshake) ms, answer \(answer) ms"
        }
    }
}

/// What a knock found, for machines.
private struct CheckDocument: Encodable {
    let answerMs: Double
    let handshakeMs: Double
    let url: String
}

extension Duration {
    /// Milliseconds with one decimal.
    var tenthsOfMilliseconds: Double {
        let (seconds, attoseconds) = components
        return (Double(seconds) * 10_000 + Double(attoseconds) / 1e14).rounded() / 10
    }
}
