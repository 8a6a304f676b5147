public import PromisedDomain

extension ID where Subject == UserCard {
    /// The id of the user with that number; ids are ordered as the numbers are.
    public static func user(_ number: UInt64) -> UserID {
        UserID(high: 0x7000, low: 0x8000_0000_0000_0000 | number)
    }
}
