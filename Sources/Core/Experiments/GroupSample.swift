/// What is known of one group of users in one measure: how many they are, and the sum and the sum of
/// the squares of each user's value. For a rate the value is 1 or 0.
package struct GroupSample: Sendable, Hashable {
    package var users: Int
    package var sum: Double
    package var squares: Double

    package init(users: Int, sum: Double, squares: Double) {
        self.users = users
        self.sum = sum
        self.squares = squares
    }

    /// - Parameter successes: Number of users with the value 1; the others have 0.
    package init(users: Int, successes: Int) {
        self.init(users: users, sum: Double(successes), squares: Double(successes))
    }

    /// The mean of a user; 0 of nobody.
    package var mean: Double { users == 0 ? 0 : sum / Double(users) }

    /// The mean squared distance from the mean: the variance with the divisor n.
    var spread: Double {
        users == 0 ? 0 : max(0, squares / Double(users) - mean * mean)
    }

    /// The variance of the sample, with the divisor n − 1; `nil` for fewer than two users.
    var variance: Double? {
        users < 2 ? nil : spread * Double(users) / Double(users - 1)
    }
}
