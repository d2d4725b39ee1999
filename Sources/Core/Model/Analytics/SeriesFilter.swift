import Foundation

/// The users and apps whose events a series counts.
package struct SeriesFilter: Sendable {
    /// Events from any of these apps; all events if empty.
    package var apps: Set<AppID>
    /// Events of these users, in ascending order; `nil` means all users.
    package var users: [ProfileID]?

    package init(apps: Set<AppID> = [], users: [ProfileID]? = nil) {
        self.apps = apps
        self.users = users
    }

    package func contains(_ user: ProfileID) -> Bool {
        guard let users else { return true }
        var low = 0
        var high = users.count
        while low < high {
            let middle = (low + high) / 2
            if users[middle] < user { low = middle + 1 } else { high = middle }
        }
        return low < users.count && users[low] == user
    }
}
