/// Something in the database that cannot be read or counted, and how the doctor mends it.
package struct StoredFault: Sendable, Hashable {
    package enum Remedy: String, Sendable, Hashable {
        /// The row goes to `set_aside_rows`, as it was.
        case setAside
        /// U+0000 is taken out of the row's texts.
        case withoutNull
        /// Times outside the years 1 to 9999 become the nearest within.
        case nearestTime
        /// A message that waits without a readable schedule is cancelled.
        case cancelled
        /// The counts are made again from the rows.
        case counted
        /// The index is made anew from the rows, by the server that works next.
        case indexed
        /// What can be read of packed sums is packed again; they go to `set_aside_rows`, as they were.
        case packedAgain
        /// Only a backup helps.
        case none
    }

    package var table: String
    /// The row's number; `nil` where the fault is not one row's.
    package var row: Int64?
    package var reason: String
    package var remedy: Remedy
}

/// What the doctor found.
package struct DoctorReport: Sendable {
    /// How many rows were read.
    package var rows = 0
    package var faults: [StoredFault] = []

    /// Whether pages of the file itself are damaged: then only a backup helps.
    package var isFileDamaged = false

    package var isHealthy: Bool { faults.isEmpty }
}
