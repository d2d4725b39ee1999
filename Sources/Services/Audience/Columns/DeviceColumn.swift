import Ports
import Segments

/// The devices of a chunk's rows.
///
/// A device is stored as the code of its kind, because there are few common kinds.
struct DeviceColumn: Sendable {
    /// Number of devices per row.
    private(set) var counts = BitSlicedColumn(isCode: true)
    /// The kinds of all rows' devices, row by row.
    private(set) var kinds = BitPackedColumn(isCode: true)
    /// The index of the first device of each block of 256 rows.
    private var blockStarts: [UInt32] = []

    static let rowsPerBlock = 256
    /// Maximum number of devices per row; further ones are ignored.
    static let maxDevices = 255

    func count(at row: Int) -> Int { Int(counts.value(at: row) ?? 0) }

    /// The indices in `kinds` that belong to the row.
    func range(at row: Int) -> Range<Int> {
        guard row < counts.count else { return kinds.count..<kinds.count }
        let block = row / Self.rowsPerBlock
        let start =
            Int(blockStarts[block]) + counts.sum(from: block * Self.rowsPerBlock, to: row)
        return start..<(start + count(at: row))
    }

    mutating func set(kinds newKinds: [Int64], at row: Int) {
        let newKinds = Array(newKinds.prefix(Self.maxDevices))
        let block = row / Self.rowsPerBlock
        if row >= counts.count {
            while blockStarts.count <= block { blockStarts.append(UInt32(kinds.count)) }
            counts.set(Int64(newKinds.count), at: row)
            for kind in newKinds { kinds.append(kind) }
            return
        }
        let range = range(at: row)
        kinds.replace(range, with: newKinds)
        counts.set(Int64(newKinds.count), at: row)
        let change = newKinds.count - range.count
        guard change != 0 else { return }
        for index in blockStarts.indices where index > block {
            blockStarts[index] = UInt32(Int(blockStarts[index]) + change)
        }
    }

    /// Appends the devices of a batch's rows after all existing rows.
    ///
    /// - Parameters:
    ///   - codes: The codes of the batch's kinds.
    ///   - device: The index of the batch's first device that was not appended yet.
    mutating func append(
        _ batch: AudienceDeviceBatch,
        rows: Range<Int>,
        codes: [Int64],
        from device: inout Int
    ) {
        let first = counts.count
        let kept = batch.counts[rows].map { min(Int64($0), Int64(Self.maxDevices)) }
        for (place, row) in rows.enumerated() {
            let block = (first + place) / Self.rowsPerBlock
            while blockStarts.count <= block { blockStarts.append(UInt32(kinds.count)) }
            for index in 0..<Int(kept[place]) {
                kinds.append(codes[Int(batch.kinds[device + index])])
            }
            device += Int(batch.counts[row])
        }
        counts.append(kept, at: Array(first..<(first + rows.count)))
    }

    mutating func compact() {
        counts.compact()
        kinds.compact()
        blockStarts = blockStarts.withExactCapacity
    }

    var memory: Int { counts.memory + kinds.memory + blockStarts.capacity * 4 }
}
