/// A promise requested by a user. The number identifies the promise, if the request creates one.
struct PromiseSpecification: Hashable, Sendable {
    var number: Int
    var key: String
    var title: String
    var meetsAt: Int64
    var invitees: [Int]
}
