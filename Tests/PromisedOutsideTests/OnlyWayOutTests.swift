import Foundation
import PromisedTestMarks
import Testing

/// In the server only PromisedOutside opens connections. Read from the sources of PromisedServer and of every
/// imported target.
///
/// PromisedTransport has a client, because clients and tools share its loop with the server; no linked part of the
/// server may use it.
@Suite struct OnlyWayOutTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    /// Modules that open connections.
    private static let network = ["AsyncHTTPClient", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL"]
    /// Modules of other packages and of the system linked by the server, none of which opens connections by itself.
    private static let others: Set<String> = [
        "CWebSockets", "Configuration", "CoreFoundation", "CoreMetrics", "Crypto", "CryptoExtras", "Darwin", "Dispatch",
        "Foundation", "FoundationEssentials", "FoundationXML", "GRDB", "GRDBSQLite", "Glibc", "JWTKit", "Logging",
        "Metrics", "Musl",
        "SwiftProtobuf",
        "Synchronization", "Yams",
    ]

    @Test(.proves("13.1"), .defends("request-forgery"))
    func `only PromisedOutside imports a network library in the linked server`() throws {
        let graph = try Self.graph()
        #expect(graph.count >= 9 && graph["PromisedTransport"] != nil, "\(graph.keys.sorted())")
        #expect(Set(Self.network).isSubset(of: graph["PromisedOutside"] ?? []))
        for (target, imports) in graph {
            let allowed = Self.others.union(graph.keys).union(target == "PromisedOutside" ? Self.network : [])
            #expect(imports.subtracting(allowed) == [], "\(target)")
        }
    }

    @Test(.defends("request-forgery"))
    func `only the outside client and the transport open connections in the linked server`()
        throws
    {
        // Calls of the C library, of Foundation, of libwebsockets, and the client's side of the transport.
        let doors =
            /(?:^|[^.\w`])(?:connect|socket|sendto|getaddrinfo)\(|\bURLSession\b|lws_client_|\bWebSocketClient\b/
        for target in try Self.graph().keys where target != "PromisedOutside" && target != "PromisedTransport" {
            for file in try Self.files(of: target) {
                let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                let found = lines.filter { $0.contains(doors) && !$0.drop { $0 == " " }.hasPrefix("//") }
                #expect(found == [], "\(target)/\(file.lastPathComponent)")
            }
        }
    }

    @Test(.defends("request-forgery"))
    func `the transport connects in one place, used only by its client`() throws {
        let found = try Self.files(of: "PromisedTransport").filter { file in
            try String(contentsOf: file, encoding: .utf8).contains("lws_client_connect_via_info(")
        }
        #expect(found.map(\.lastPathComponent) == ["LibraryContext+Connecting.swift"])
    }

    /// The imports of PromisedServer and of every target of this repository that it reaches.
    private static func graph() throws -> [String: Set<String>] {
        var graph: [String: Set<String>] = [:]
        var waiting = ["PromisedServer"]
        while let target = waiting.popLast() {
            guard graph[target] == nil else { continue }
            let imports = try files(of: target).reduce(into: Set<String>()) { $0.formUnion(try modules(in: $1)) }
            graph[target] = imports
            waiting += try imports.filter { try !files(of: $0).isEmpty }
        }
        return graph
    }

    private static func modules(in file: URL) throws -> [String] {
        let pattern =
            /^\s*(?:@\w+(?:\(\w+\))?\s+)*(?:(?:internal|package|public|private|fileprivate)\s+)?import\s+(?:(?:struct|class|enum|func|protocol|typealias|var|let)\s+)?(\w+)/
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .compactMap { $0.firstMatch(of: pattern).map { String($0.1) } }
    }

    /// The Swift files of a target; empty for a module of another package.
    private static func files(of target: String) throws -> [URL] {
        let folders = ["Sources", "Clients/Swift/Sources"].map { root.appending(path: "\($0)/\(target)") }
        guard let folder = folders.first(where: { FileManager.default.fileExists(atPath: $0.path) }) else { return [] }
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return paths.filter { $0.hasSuffix(".swift") }.sorted().map { folder.appending(path: $0) }
    }
}
