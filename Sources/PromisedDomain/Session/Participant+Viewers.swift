extension Participant {
    /// Whether those who watch by a link learn of them: they take part and agreed. Everybody else does not exist for
    /// viewers.
    public var isShownToViewers: Bool { membership == .accepted && isLinkSharing }
}
