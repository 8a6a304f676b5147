import PromisedProtocol
import SwiftProtobuf

@testable import PromisedServer

extension Device {
    /// The accounts in the answer to a form.
    func users(_ form: WireAdminRequest.OneOf_Request) async throws -> [WireAdminUser] {
        guard case .users(let users) = try await admin(form) else { throw NoReply() }
        return users.users
    }

    /// The account in the answer to a form.
    func user(_ form: WireAdminRequest.OneOf_Request) async throws -> WireAdminUser {
        guard case .user(let user) = try await admin(form) else { throw NoReply() }
        return user
    }

    /// The promise in the answer to a form.
    func promise(_ form: WireAdminRequest.OneOf_Request) async throws -> WirePromise {
        guard case .promise(let reply) = try await admin(form) else { throw NoReply() }
        return reply.promise
    }
}

/// A form that names a user.
protocol UserForm: SwiftProtobuf.Message {
    var userID: String { get set }
}

extension UserForm {
    static func of(_ userID: String) -> Self {
        var form = Self()
        form.userID = userID
        return form
    }
}

extension WireAdminShowUser: UserForm {}
extension WireAdminDisableUser: UserForm {}
extension WireAdminEnableUser: UserForm {}
extension WireAdminResetPassword: UserForm {}
extension WireAdminDeleteUser: UserForm {}
extension WireAdminListUserSessions: UserForm {}
extension WireAdminKickUser: UserForm {}
extension WireAdminListFriends: UserForm {}
extension WireAdminListFriendRequests: UserForm {}

/// A form that names two users.
protocol PairForm: UserForm {
    var otherID: String { get set }
}

extension PairForm {
    static func of(_ one: String, _ other: String) -> Self {
        var form = Self.of(one)
        form.otherID = other
        return form
    }
}

extension WireAdminAddFriends: PairForm {}
extension WireAdminRemoveFriends: PairForm {}
extension WireAdminBlockUser: PairForm {}
extension WireAdminUnblockUser: PairForm {}

/// A form that names a promise.
protocol PromiseForm: SwiftProtobuf.Message {
    var promiseID: String { get set }
}

extension PromiseForm {
    static func of(_ promiseID: String) -> Self {
        var form = Self()
        form.promiseID = promiseID
        return form
    }
}

extension WireGetPromise: PromiseForm {}
extension WireUpdatePromise: PromiseForm {}
extension WireCancelPromise: PromiseForm {}
extension WireAdminWatchPromise: PromiseForm {}
extension WireUnsubscribe: PromiseForm {}
extension WireGetResult: PromiseForm {}
extension WireExplainArrival: PromiseForm {}
extension WireExcuse: PromiseForm {}
extension WireAdminExportPositions: PromiseForm {}
extension WireAdminShowSession: PromiseForm {}

extension WireAdminFindUsers {
    static func named(_ name: String) -> Self {
        var form = Self()
        form.name = name
        return form
    }
}

extension WireAdminCreateUser {
    static func sample(_ nickname: String) -> Self {
        var form = Self()
        form.nickname = nickname
        form.email = "\(nickname.lowercased())@example.org"
        form.password = "correct horse \(nickname)"
        return form
    }
}
