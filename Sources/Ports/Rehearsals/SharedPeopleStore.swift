import Model

/// Copies of a database that are played side by side, each with some of the people.
package protocol SharedPeopleStore: Sendable {
    /// Forgets whoever is not in a share, and all that is theirs. Counts that were kept of it stay as they
    /// are: it is for copies that are thrown away.
    func keepOnly(_ share: PeopleShare) async throws
    /// Uses up the next numbers of users and devices, which another copy gives to people of its share.
    func passOver(users: Int, devices: Int) async throws
}
