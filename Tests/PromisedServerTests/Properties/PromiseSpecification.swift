/// What somebody wants to make. The number names the promise, in case this makes one.
struct PromiseSpecification: Hashable, Sendable {
    var number: Int
    var key: String
    var title: String
    var meetsAt: Int64
    var invitees: [Int]
}
