import PromisedProtocol

extension WireUpdatePromise {
    /// A change of a promise as it is now that changes nothing yet.
    init(changing promise: WirePromise) {
        self.init()
        promiseID = promise.promiseID
        version = promise.version
    }
}
