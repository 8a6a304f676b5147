import Foundation
import PromisedProtocol
import PromisedWire
import SwiftProtobuf
import Testing

@testable import PromisedServer

extension ServerWorld {
    /// The secret that the server wrote into its data directory on its first start.
    func adminSecret() throws -> String {
        try String(contentsOfFile: directory + "/" + AdminTokenFile.name, encoding: .utf8)
            .trimmingCharacters(in: .newlines)
    }

    /// Runs `body` with an administrator's connection and a way to make more connections.
    func administered(
        _ body: @Sendable (Device, DeviceMaker) async throws -> Void
    ) async throws {
        try await devices { connect in
            let admin = try await connect()
            try await admin.helloAsAdministrator(try adminSecret())
            try await body(admin, connect)
        }
    }
}

extension Device {
    /// Sends `hello` with an administrator's secret.
    @discardableResult
    func helloAsAdministrator(_ secret: String) async throws -> WireWelcome {
        var hello = WireHello.sample(secret)
        hello.client.name = "tests"
        hello.client.version = "1"
        guard case .welcome(let welcome) = try await call(.hello(hello)) else { throw NoReply() }
        return welcome
    }

    /// Sends an administrator's form and returns its reply.
    func admin(_ form: WireAdminRequest.OneOf_Request) async throws -> WireAdminReply.OneOf_Reply {
        switch try await call(.admin(.form(form))) {
        case .admin(let reply): return try #require(reply.reply)
        case .error(let error): throw AdminRefusal(code: error.code, field: error.field)
        default: throw NoReply()
        }
    }

    /// Why an administrator's form is refused; nil if it is accepted.
    func adminRefusal(_ form: WireAdminRequest.OneOf_Request) async throws -> AdminRefusal? {
        do {
            _ = try await admin(form)
            return nil
        } catch let refusal as AdminRefusal {
            return refusal
        }
    }

    /// The entries of the audit, newest first.
    func audit() async throws -> [WireAdminAuditEntry] {
        guard case .audit(let audit) = try await admin(.listAudit(WireAdminListAudit())) else { throw NoReply() }
        return audit.entries
    }
}

/// A refusal with its field.
struct AdminRefusal: Error, Equatable {
    var code: String
    var field = ""

    init(code: String, field: String = "") {
        self.code = code
        self.field = field
    }

    init(_ code: ErrorCode, _ field: String = "") {
        self.init(code: code.rawValue, field: field)
    }
}

extension WireAdminRequest {
    /// A request with that form.
    static func form(_ form: OneOf_Request) -> WireAdminRequest {
        WireAdminRequest.with { $0.request = form }
    }
}
