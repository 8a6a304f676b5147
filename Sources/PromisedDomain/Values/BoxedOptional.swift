/// An optional value that takes only a pointer while it is nil: for properties that most instances never set.
@propertyWrapper
enum BoxedOptional<Value: Hashable & Sendable>: Hashable, Sendable {
    case absent
    indirect case present(Value)

    init(wrappedValue: Value?) { self = wrappedValue.map(BoxedOptional.present) ?? .absent }

    var wrappedValue: Value? {
        get {
            guard case .present(let value) = self else { return nil }
            return value
        }
        set { self = BoxedOptional(wrappedValue: newValue) }
    }

    /// The box itself, to ask it without copying the value.
    var projectedValue: Self { self }

    /// `true` if the value is nil. Does not copy it, unlike a comparison of the value.
    var isNil: Bool {
        if case .absent = self { true } else { false }
    }
}
