/// A configuration without fault, and where it came from.
public struct LoadedConfiguration: Sendable {
    /// The values.
    public let configuration: ServerConfiguration
    /// Where the value of each key came from; an entry for every setting.
    public let sources: [String: SettingSource]
    /// Variables named `PROMISED_…` that set nothing, sorted; worth a warning, since other programs may own them.
    public let unknownVariables: [String]
}
