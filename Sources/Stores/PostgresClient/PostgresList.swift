/// Values of one type on their way to the server as one parameter, which is an array there.
package struct PostgresList: Sendable, Hashable {
    /// The type of the array.
    let type: UInt32
    let bytes: [UInt8]

    /// - Returns: `nil` if the values have several types, or none because all are missing.
    package init?(_ values: some Collection<PostgresValue>) {
        let types = values.lazy.map(\.type)
        guard let element = types.first(where: { $0 != PostgresType.unspecified }),
            let type = PostgresType.arrays[element]
        else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + values.count * 16)
        // One dimension, some values may be missing, the type, how many, and the number of the first.
        for number in [1, 1, Int32(bitPattern: element), Int32(values.count), 1] {
            Self.append(number, to: &bytes)
        }
        for value in values {
            let start = bytes.count
            if case .null = value {
                Self.append(-1, to: &bytes)
                continue
            }
            guard value.type == element else { return nil }
            Self.append(0, to: &bytes)
            value.append(to: &bytes)
            let length = Int32(bytes.count - start - 4)
            withUnsafeBytes(of: length.bigEndian) {
                bytes.replaceSubrange(start..<start + 4, with: $0)
            }
        }
        self.type = type
        self.bytes = bytes
    }

    private static func append(_ number: Int32, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
