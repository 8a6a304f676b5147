public import PromisedStore

/// Names one sign-in of a user: the `sid` of access tokens.
public typealias SignInID = AuthSessionID
