internal import PromisedWire

/// What a field of a request may hold, in words, as the schema declares it.
enum AllowedValues {
    /// A sentence for an answer with `request.invalid` that has none of its own; nil for a field without a range.
    ///
    /// - Parameter field: the path on the wire, such as `place.latitude` or `inviteeIds[3]`.
    static func sentence(of field: String) -> String? {
        let name = String(field.split(separator: ".").last?.prefix { $0 != "[" } ?? "")
        if FieldRange.namesOfIDs.contains(name) {
            return "An id is a UUID such as 0193a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b."
        }
        return FieldRange.phrases[name].map { "\(field) must be \($0)." }
    }
}
