/// A promise that a user asks for. The number names the promise, in case this makes one.
struct PromiseSpecification: Hashable, Sendable {
    var number: Int
    var key: String
    var title: String
    var meetsAt: Int64
    var invitees: [Int]
}
