/// How soon messages are opened: the opens within some time after each message was accepted.
package struct OpenCurve: Sendable, Hashable {
    /// How far the curve goes at most, in seconds.
    package static let reach: Int64 = 48 * 3_600
    /// The lengths that a step can have, in seconds: the shortest with which the time since the
    /// first message has at most ``mostSteps``.
    private static let units: [Int64] = [60, 300, 900, 1_800]
    private static let mostSteps: Int64 = 96

    /// The length of a step in seconds.
    package var unit: Int64
    /// The opens within 0, 1, 2 … steps, up to the time that has passed since the first message.
    package var opens: [Int]
    /// All opens of accepted messages, however late.
    package var total: Int
    /// Seconds after which half of all opens had come, of an odd number the one in the middle;
    /// `nil` without an open.
    package var halfTime: Int64?

    package init(unit: Int64, opens: [Int], total: Int, halfTime: Int64?) {
        self.unit = unit
        self.opens = opens
        self.total = total
        self.halfTime = halfTime
    }

    /// The length of a step for messages the first of which was accepted `age` seconds ago.
    package static func unit(age: Int64) -> Int64 {
        units.first { $0 * mostSteps >= age } ?? units[units.count - 1]
    }

    /// The number of steps that have passed `age` seconds after the first message, begun ones
    /// included.
    package static func steps(age: Int64) -> Int {
        let unit = unit(age: age)
        return Int((min(max(age, 0), reach) + unit - 1) / unit)
    }
}

/// What the ledger knows of the opens of accepted messages.
package struct OpenDelays: Sendable, Hashable {
    /// Number of opens by the number of steps after which they had come.
    package var opens: [Int: Int]
    /// The delay of the open in the middle, in milliseconds.
    package var middle: Int64?

    package init(opens: [Int: Int] = [:], middle: Int64? = nil) {
        self.opens = opens
        self.middle = middle
    }
}
