/// Code that reads outside bytes, and a property that holds for all bytes.
package struct FuzzTarget: Sendable {
    /// Its name: lower-case words with hyphens.
    package let name: String
    /// The property, a sentence.
    package let property: String
    /// The most bytes of an input.
    package let longest: Int
    /// `true` if it takes over all tasks of its process, so no other target can run there.
    package let needsOwnProcess: Bool
    private let check: @Sendable ([UInt8]) throws(Violation) -> Void

    /// A target.
    ///
    /// - Parameter check: throws if the property does not hold for an input.
    init(
        _ name: String,
        _ property: String,
        longest: Int = 4_096,
        needsOwnProcess: Bool = false,
        check: @escaping @Sendable ([UInt8]) throws(Violation) -> Void
    ) {
        self.name = name
        self.property = property
        self.longest = longest
        self.needsOwnProcess = needsOwnProcess
        self.check = check
    }

    /// Runs an input. Time and memory are bounded by the fuzzer.
    ///
    /// - Throws: ``Violation`` if the property does not hold. A trap is a violation, too.
    package func run(_ bytes: [UInt8]) throws(Violation) { try check(bytes) }
}

/// A property that an input breaks.
package struct Violation: Error, CustomStringConvertible {
    /// The part of the property that does not hold, with the values.
    package let description: String

    /// A violation.
    init(_ description: String) { self.description = description }
}

/// Checks a part of a property. Throws ``Violation`` with the sentence.
func require(_ holds: Bool, _ sentence: @autoclosure () -> String) throws(Violation) {
    guard !holds else { return }
    throw Violation(sentence())
}
