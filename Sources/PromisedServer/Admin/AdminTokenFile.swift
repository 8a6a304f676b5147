internal import Glibc
internal import PromisedAccess
internal import PromisedApplication
internal import PromisedDomain
internal import PromisedStore

/// The file in the data directory with the first administrator's secret (mode 0600), created at the first start.
///
/// The server writes the file before it stores the token, so after a crash in between, the next start stores the token.
/// Once any token exists, valid or not, the server ignores the file: you may move or remove it, and a revoked token
/// stays revoked.
struct AdminTokenFile {
    /// The file's name within the data directory.
    static let name = "admin.token"
    static let tokenName = "first start"

    private let file: PrivateFile
    private let random: RandomSource

    /// The file within a data directory, which must exist.
    init(dataDirectory: String, random: RandomSource = .system) {
        file = PrivateFile(path: dataDirectory + "/" + Self.name)
        self.random = random
    }

    /// Creates the first token unless a token exists or existed.
    ///
    /// Blocks for a few disk accesses: call it at start.
    /// - Returns: the path of the file if the token was stored now; nil otherwise.
    /// - Throws: ``StartError`` when the file can't be used or the store can't be written.
    func register(in store: some HasAdministration) async throws(StartError) -> String? {
        do throws(StoreError) {
            if try await store.administration.hasAdminTokens() { return nil }
        } catch {
            throw StartError("The administrators' tokens cannot be read: \(error)")
        }
        let secret = try loadOrCreate()
        var generator = random
        let now = RealTime.now
        let token = AdminToken(id: AdminTokenID(at: now, using: &generator), name: Self.tokenName, createdAt: now)
        let audit = AuditEntry(at: now, actor: "promised", action: "createToken", subject: "\(token.id)")
        do throws(StoreError) {
            return try await store.administration.createFirstAdminToken(token, hash: secret.hash, audit: audit)
                ? file.path : nil
        } catch {
            throw StartError("The first administrator's token cannot be stored: \(error)")
        }
    }

    /// The secret in the file; in a new file if there is none.
    private func loadOrCreate() throws(StartError) -> AdminSecret {
        do throws(PrivateFile.Failure) {
            if let text = try file.read() { return try secret(in: text) }
            var generator = random
            try file.create(AdminSecret(using: &generator).text)
            return try secret(in: try file.read() ?? "")
        } catch {
            throw failure(error)
        }
    }

    private func secret(in text: String) throws(PrivateFile.Failure) -> AdminSecret {
        guard text.hasSuffix("\n"), let secret = AdminSecret(String(text.dropLast())) else { throw .garbage }
        return secret
    }

    private func failure(_ failure: PrivateFile.Failure) -> StartError {
        let what =
            switch failure {
            case .tooOpen(let mode):
                "has mode \(String(mode, radix: 8)), expected 600; other users may have read the token"
            case .foreignOwner: "does not belong to the user that the server runs as"
            case .notAFile: "is not a regular file"
            case .garbage: "contains no administrator's token"
            case .system(let code): "\(String(cString: strerror(code))) (errno \(code))"
            }
        return StartError("\(file.path): \(what); remove the file to get a new token")
    }
}
