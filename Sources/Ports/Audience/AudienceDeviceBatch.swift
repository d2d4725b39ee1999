import Segments

/// The devices of a batch of profiles: the kind and the token of each.
package struct AudienceDeviceBatch: Sendable {
    /// Number of devices per row.
    package var counts: [UInt32] = []
    /// The kinds of all rows' devices, row by row.
    package private(set) var kinds: [UInt32] = []
    /// The kinds by number.
    package private(set) var distinctKinds: [AudienceDevice] = []
    private var numbers: [AudienceDevice: UInt32] = [:]

    /// The number of a device's kind.
    package mutating func number(of kind: AudienceDevice) -> UInt32 {
        if let known = numbers[kind] { return known }
        let number = UInt32(distinctKinds.count)
        numbers[kind] = number
        distinctKinds.append(kind)
        return number
    }

    /// Adds a device to a row. Rows must not descend.
    package mutating func append(kind: UInt32, row: Int) {
        counts[row] += 1
        kinds.append(kind)
    }

    package mutating func append(_ device: AudienceDevice, row: Int) {
        append(kind: number(of: device), row: row)
    }
}
