/// An optional value that takes only a pointer while it is nil: for properties that most instances never set.
@propertyWrapper
enum Rare<Value: Hashable & Sendable>: Hashable, Sendable {
    case absent
    indirect case present(Value)

    init(wrappedValue: Value?) {
        self = wrappedValue.map(Rare.present) ?? .absent
    }

    var wrappedValue: Value? {
        get {
            guard case .present(let value) = self else { return nil }
            return value
        }
        set { self = Rare(wrappedValue: newValue) }
    }
}
