/// A share of the users of a database, by their numbers: each user is in one of them.
package struct PeopleShare: Sendable, Hashable {
    /// From 0 up to `count`.
    package let number: Int
    package let count: Int

    package init(_ number: Int, of count: Int) {
        self.number = number
        self.count = count
    }

    package func contains(_ profile: ProfileID) -> Bool {
        profile.rawValue % Int64(count) == Int64(number)
    }
}
