import Segments

/// The devices of a batch of profiles: what kind each is, and its token.
package struct AudienceDeviceBatch: Sendable {
    /// How many devices each row has.
    package var counts: [UInt32] = []
    /// The kinds of all rows' devices, one row after another.
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

    /// Adds a device to a row, which is not before that of the device added last.
    package mutating func append(kind: UInt32, row: Int) {
        counts[row] += 1
        kinds.append(kind)
    }

    package mutating func append(_ device: AudienceDevice, row: Int) {
        append(kind: number(of: device), row: row)
    }
}
