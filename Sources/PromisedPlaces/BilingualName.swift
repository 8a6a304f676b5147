/// A name in the two languages of the product.
package struct BilingualName: Hashable, Sendable {
    /// The languages of built-in names and texts.
    package enum Language: String, Hashable, Sendable, CaseIterable {
        /// English, for every locale that is not Korean.
        case english = "en"
        case korean = "ko"

        /// The language for a tag of BCP 47 such as `ko-KR`: Korean if its first subtag is `ko` in any case, English
        /// for all others and for an empty tag.
        package init(locale: String) {
            let subtag = locale.prefix { $0 != "-" && $0 != "_" }
            self = subtag.lowercased() == Language.korean.rawValue ? .korean : .english
        }
    }

    /// The English name.
    package let english: String
    /// The Korean name.
    package let korean: String

    package init(english: String, korean: String) {
        self.english = english
        self.korean = korean
    }

    /// The name in one language.
    package subscript(language: Language) -> String {
        switch language {
        case .english: english
        case .korean: korean
        }
    }
}
