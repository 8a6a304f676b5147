extension ClientSettings {
    /// Takes the names of device and boot from a store; a device that was named already keeps its name.
    public mutating func identify(as fixes: FixStore) {
        deviceID = deviceID ?? fixes.deviceID
        bootID = fixes.bootID
    }
}
