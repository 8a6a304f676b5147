/// A configuration without fault, and where it came from.
package struct LoadedConfiguration: Sendable {
    /// The values.
    package let configuration: ServerSettings
    /// Where the value of each key came from; an entry for every setting.
    package let sources: [String: SettingSource]
    /// Variables named `PROMISED_…` that set nothing, sorted; worth a warning, since other programs may own them.
    package let unknownVariables: [String]
}
