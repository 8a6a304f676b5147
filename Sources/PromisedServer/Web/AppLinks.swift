internal import Foundation
internal import PromisedSettings

/// The files by which iOS and Android know which apps may open this server's invite links.
enum AppLinks {
    /// The files by the bytes of their paths; none for a platform without apps.
    static func files(_ links: ServerSettings.Links) -> [[UInt8]: WebFile] {
        var files: [[UInt8]: WebFile] = [:]
        if !links.appleApps.isEmpty {
            // https://developer.apple.com/documentation/xcode/supporting-associated-domains
            let details = Apple.Details(appIDs: links.appleApps, components: [["/": InviteRoute.prefix + "*"]])
            files[Array("/.well-known/apple-app-site-association".utf8)] = json(
                Apple(applinks: .init(details: [details]))
            )
        }
        if !links.androidApps.isEmpty {
            // https://developers.google.com/digital-asset-links/v1/getting-started
            files[Array("/.well-known/assetlinks.json".utf8)] = json(links.androidApps.map(Android.init))
        }
        return files
    }

    private static func json(_ value: some Encodable) -> WebFile {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return WebFile(bytes: Array(try encoder.encode(value)), contentType: "application/json")
        } catch {
            preconditionFailure("Texts always encode: \(error)")
        }
    }

    private struct Apple: Encodable {
        let applinks: Links

        struct Links: Encodable {
            let details: [Details]
        }

        struct Details: Encodable {
            let appIDs: [String]
            let components: [[String: String]]
        }
    }

    private struct Android: Encodable {
        let relation = ["delegate_permission/common.handle_all_urls"]
        let target: Target

        init(_ app: String) {
            let parts = app.split(separator: "/")
            target = Target(packageName: String(parts[0]), fingerprints: [parts[1].uppercased()])
        }

        struct Target: Encodable {
            let namespace = "android_app"
            let packageName: String
            let fingerprints: [String]

            enum CodingKeys: String, CodingKey {
                case namespace
                case packageName = "package_name"
                case fingerprints = "sha256_cert_fingerprints"
            }
        }
    }
}
