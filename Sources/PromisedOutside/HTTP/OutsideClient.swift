import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
package import PromisedDomain

/// The rules of the client towards other servers.
package struct OutsideManners: Sendable {
    /// The client's User-Agent: product, version and a contact of the operator.
    package var userAgent: String
    /// The allowed hosts and ports.
    package var allowed: Set<String>
    /// The longest time for a request, from its first byte to the last one of the reply.
    package var timeout: Duration = .seconds(10)
    /// The largest body, in bytes.
    package var largestBody = 1 << 20
    /// The maximum number of concurrent requests.
    package var atOnce = 4
    /// The maximum number of waiting requests.
    package var longestQueue = 256
    /// A file of certificates (PEM) that are trusted besides those of the system; nil for none.
    package var trustFile: String?

    /// Manners with the default limits.
    ///
    /// - Parameters:
    ///   - contact: an address of the operator, which providers require.
    ///   - services: the only allowed services.
    package init(product: String, version: String, contact: String, services: [OutsideURL]) {
        // Header values must not contain control characters.
        let contact = String(contact.unicodeScalars.filter { (0x20...0x7e).contains($0.value) })
        userAgent = "\(product)/\(version)" + (contact.isEmpty ? "" : " (\(contact))")
        allowed = Set(services.map(\.authority))
    }
}

/// The one HTTPS client: verified TLS from version 1.2, no redirects, no cookies, no proxies, no compression.
///
/// It owns a thread; call ``shutdown()`` before it is released.
package final class OutsideClient: HTTPFetching {
    private let manners: OutsideManners
    private let client: HTTPClient
    private let group: MultiThreadedEventLoopGroup
    private let slots: RequestSlots
    private let now: @Sendable () -> Instant

    /// A client with the given manners. It connects only for the first request.
    ///
    /// - Parameter now: the real time, for replies without a date.
    package init(_ manners: OutsideManners, now: @escaping @Sendable () -> Instant) {
        self.manners = manners
        self.now = now
        slots = RequestSlots(manners.atOnce, longestQueue: manners.longestQueue)
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        client = HTTPClient(eventLoopGroup: group, configuration: Self.configuration(manners))
    }

    /// Ends running requests and the client's thread.
    package func shutdown() async throws {
        try await client.shutdown()
        try await group.shutdownGracefully()
    }

    /// Sends a request when a slot is free.
    package func fetch(_ request: OutsideRequest) async throws(OutsideError) -> OutsideReply {
        guard manners.allowed.contains(request.base.authority) else { throw .hostNotAllowed }
        try await slots.enter()
        let outcome = await outcome(of: request)
        await slots.leave()
        return try outcome.get()
    }

    // MARK: - One request

    private func outcome(of request: OutsideRequest) async -> Result<OutsideReply, OutsideError> {
        await withTaskGroup(of: Result<OutsideReply, OutsideError>.self) { group in
            group.addTask { await self.receive(request) }
            group.addTask { [timeout = manners.timeout] in
                // Cancelled when the reply arrives first.
                try? await Task.sleep(for: timeout)
                return .failure(Task.isCancelled ? .cancelled : .timedOut)
            }
            let first = await group.next() ?? .failure(.cancelled)
            group.cancelAll()
            return first
        }
    }

    private func receive(_ request: OutsideRequest) async -> Result<OutsideReply, OutsideError> {
        do {
            let response = try await client.execute(message(request), deadline: .distantFuture)
            return .success(try await reply(response))
        } catch let error as OutsideError {
            return .failure(error)
        } catch is CancellationError {
            return .failure(.cancelled)
        } catch let error as NIOSSLError {
            return .failure(Self.failure(of: error))
        } catch is NIOSSLExtraError {
            // The name of the host does not match.
            return .failure(.certificate)
        } catch let error as HTTPClientError {
            return .failure(error == .cancelled ? .cancelled : .unreachable(error.shortDescription))
        } catch {
            return .failure(.unreachable(Self.name(of: error)))
        }
    }

    private func message(_ request: OutsideRequest) -> HTTPClientRequest {
        var message = HTTPClientRequest(url: request.url)
        message.headers = ["User-Agent": manners.userAgent, "Accept": "application/json"]
        if let modifiedSince = request.modifiedSince {
            message.headers.add(name: "If-Modified-Since", value: modifiedSince)
        }
        return message
    }

    private func reply(_ response: HTTPClientResponse) async throws -> OutsideReply {
        let headers = response.headers
        if let length = headers.first(name: "Content-Length").flatMap({ Int($0) }), length > manners.largestBody {
            throw OutsideError.tooLarge
        }
        var body: [UInt8] = []
        for try await part in response.body {
            guard body.count + part.readableBytes <= manners.largestBody else { throw OutsideError.tooLarge }
            body.append(contentsOf: part.readableBytesView)
        }
        // A service's own date compensates for a wrong clock on either side.
        let date = headers.first(name: "Date").flatMap { HTTPDate.instant($0) } ?? now()
        return OutsideReply(
            status: Int(response.status.code),
            body: body,
            lastModified: headers.first(name: "Last-Modified").flatMap { HTTPDate.instant($0) == nil ? nil : $0 },
            freshFor: HTTPDate.span(until: headers.first(name: "Expires"), from: date),
            retryAfter: HTTPDate.retryAfter(headers.first(name: "Retry-After"), from: date)
        )
    }

    private static func configuration(_ manners: OutsideManners) -> HTTPClient.Configuration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.certificateVerification = .fullVerification
        tls.minimumTLSVersion = .tlsv12
        if let trustFile = manners.trustFile { tls.additionalTrustRoots = [.file(trustFile)] }
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
        configuration.httpVersion = .http1Only
        configuration.decompression = .disabled
        // A failed connection is reported at once: the caller backs off by itself.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = manners.atOnce
        return configuration
    }

    private static func failure(of error: NIOSSLError) -> OutsideError {
        switch error {
        case .handshakeFailed, .unableToValidateCertificate, .noCertificateToValidate: .certificate
        default: .unreachable("TLS ended")
        }
    }

    /// The kind of an error of the network library. Its description is omitted because it may contain the host.
    private static func name(of error: any Error) -> String { String(describing: type(of: error)) }
}
