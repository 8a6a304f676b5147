/// The namespace declarations in force (Namespaces in XML 1.0 section 6), as far as they distinguish one vocabulary
/// from all others.
///
/// Elements without a namespace also belong to the vocabulary; those with an undeclared prefix do not.
struct XMLNamespaces {
    private struct Declaration {
        var depth: Int
        /// Empty for the default namespace.
        var prefix: ArraySlice<UInt8>
        /// `true` if the namespace is one of the vocabulary, or empty.
        var belongs: Bool
    }

    private let belongs: (String) -> Bool
    private var declarations: [Declaration] = []
    private var depth = 0

    /// No declarations.
    ///
    /// - Parameter belongs: `true` for a namespace of the vocabulary; each version may have its own.
    init(belongs: @escaping (String) -> Bool) { self.belongs = belongs }

    /// Adds the declarations of the element that the tokenizer has just begun.
    ///
    /// - Returns: the element's name without prefix; nil if it does not belong to the vocabulary.
    mutating func begin(_ tokens: XMLTokenizer) throws(XMLFault) -> ArraySlice<UInt8>? {
        depth += 1
        for attribute in tokens.attributes {
            let name = tokens.bytes[attribute.name]
            let declares = name.starts(with: "xmlns".utf8) && (name.count == 5 || name[name.startIndex + 5] == .colon)
            guard declares else { continue }
            guard declarations.count < XMLLimit.namespaces else {
                throw XMLFault(problem: .namespaces, offset: attribute.name.lowerBound)
            }
            let namespace = String(decoding: tokens.value(of: attribute), as: UTF8.self)
            let belongs = namespace.isEmpty || belongs(namespace)
            declarations.append(Declaration(depth: depth, prefix: name.dropFirst(6), belongs: belongs))
        }
        return localName(tokens.bytes[tokens.name])
    }

    /// Removes the declarations of the element that ends.
    mutating func end() {
        while declarations.last?.depth == depth { declarations.removeLast() }
        depth -= 1
    }

    private func localName(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let colon = name.firstIndex(of: .colon)
        let prefix = colon.map { name[..<$0] } ?? []
        let declared = declarations.last { $0.prefix == prefix }?.belongs
        guard declared ?? (colon == nil) else { return nil }
        return colon.map { name[($0 + 1)...] } ?? name
    }
}

extension UInt8 {
    fileprivate static let colon = UInt8(ascii: ":")
}
