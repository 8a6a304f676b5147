/// An optional value that takes no more than a pointer while there is none: for what most of many never have.
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
