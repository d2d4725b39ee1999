import Segments

/// The devices of a batch of profiles: what kind each is, and its token.
package struct AudienceDeviceBatch: Sendable {
    /// How many devices each row has.
    package var counts: [UInt32] = []
    /// The kinds of all rows' devices, one row after another.
    package private(set) var kinds: [UInt32] = []
    /// The kinds by number; an empty token says that such a device has one.
    package private(set) var distinctKinds: [AudienceDevice] = []
    /// All tokens one after another in UTF-8, and how long each is; -1 where there is none.
    package private(set) var tokens: [UInt8] = []
    package private(set) var tokenLengths: [Int] = []
    private var numbers: [AudienceDevice: UInt32] = [:]

    /// The number of a kind, whose token is left out of account but for whether there is one.
    package mutating func number(of device: AudienceDevice) -> UInt32 {
        var kind = device
        if kind.token != nil { kind.token = "" }
        if let known = numbers[kind] { return known }
        let number = UInt32(distinctKinds.count)
        numbers[kind] = number
        distinctKinds.append(kind)
        return number
    }

    /// Adds a device to a row, which is not before that of the device added last.
    package mutating func append(
        kind: UInt32,
        token: UnsafeBufferPointer<UInt8>?,
        row: Int
    ) {
        counts[row] += 1
        kinds.append(kind)
        tokenLengths.append(token?.count ?? -1)
        if let token { tokens.append(contentsOf: token) }
    }

    package mutating func append(_ device: AudienceDevice, row: Int) {
        let kind = number(of: device)
        guard var token = device.token else { return append(kind: kind, token: nil, row: row) }
        token.withUTF8 { append(kind: kind, token: $0, row: row) }
    }
}
