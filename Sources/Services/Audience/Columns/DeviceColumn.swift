import Ports
import Segments

/// The devices of a chunk's rows.
///
/// A device is a code for its kind (everything but the token), because few kinds are common.
/// Tokens, when kept, stand packed in blocks of rows, hexadecimal ones at half their length.
struct DeviceColumn: Sendable {
    /// How many devices each row has.
    private(set) var counts = SlicedColumn(isCode: true)
    /// The kinds of all rows' devices, one row after another.
    private(set) var kinds = PackedColumn(isCode: true)
    /// Where the devices of each block of 256 rows begin.
    private var blockStarts: [UInt32] = []
    private var tokenBlocks: [TokenBlock] = []
    private let keepsTokens: Bool

    static let rowsPerBlock = 256
    /// A row keeps its first devices up to this number.
    static let mostDevices = 255

    init(keepsTokens: Bool) {
        self.keepsTokens = keepsTokens
    }

    func count(at row: Int) -> Int { Int(counts.value(at: row) ?? 0) }

    /// Which places of `kinds` belong to the row.
    func range(at row: Int) -> Range<Int> {
        guard row < counts.count else { return kinds.count..<kinds.count }
        let block = row / Self.rowsPerBlock
        let start =
            Int(blockStarts[block]) + counts.sum(from: block * Self.rowsPerBlock, to: row)
        return start..<(start + count(at: row))
    }

    func tokens(at row: Int) -> [String?] {
        let block = row / Self.rowsPerBlock
        guard keepsTokens, block < tokenBlocks.count else {
            return Array(repeating: nil, count: count(at: row))
        }
        let range = range(at: row)
        let skipped = range.lowerBound - Int(blockStarts[block])
        return tokenBlocks[block].tokens(skipping: skipped, count: range.count)
    }

    /// Tokens of a block in order; the cursor remembers how far they were read.
    func tokens(
        inBlock block: Int,
        skipping skipped: Int,
        _ count: Int,
        _ cursor: inout TokenBlock.Cursor
    ) -> [String?] {
        guard block < tokenBlocks.count else { return Array(repeating: nil, count: count) }
        return tokenBlocks[block].tokens(skipping: skipped, count, &cursor)
    }

    mutating func set(kinds newKinds: [Int64], tokens: [String?], at row: Int) {
        let newKinds = Array(newKinds.prefix(Self.mostDevices))
        let block = row / Self.rowsPerBlock
        if row >= counts.count {
            while blockStarts.count <= block { blockStarts.append(UInt32(kinds.count)) }
            counts.set(Int64(newKinds.count), at: row)
            for kind in newKinds { kinds.append(kind) }
            if keepsTokens {
                while tokenBlocks.count <= block { tokenBlocks.append(TokenBlock()) }
                for token in tokens.prefix(newKinds.count) { tokenBlocks[block].append(token) }
            }
            return
        }
        let range = range(at: row)
        if keepsTokens {
            while tokenBlocks.count <= block { tokenBlocks.append(TokenBlock()) }
            let skipped = range.lowerBound - Int(blockStarts[block])
            tokenBlocks[block].replace(
                skipped..<(skipped + range.count),
                with: Array(tokens.prefix(newKinds.count))
            )
        }
        kinds.replace(range, with: newKinds)
        counts.set(Int64(newKinds.count), at: row)
        let change = newKinds.count - range.count
        guard change != 0 else { return }
        for index in blockStarts.indices where index > block {
            blockStarts[index] = UInt32(Int(blockStarts[index]) + change)
        }
    }

    /// How far a batch's devices have been taken over.
    struct BatchCursor {
        fileprivate var device = 0
        fileprivate var tokenStart = 0
    }

    /// Writes the devices of a batch's rows behind those of all rows there are.
    ///
    /// - Parameter codes: The codes of the batch's kinds.
    mutating func append(
        _ batch: AudienceDeviceBatch,
        rows: Range<Int>,
        codes: [Int64],
        from cursor: inout BatchCursor
    ) {
        let first = counts.count
        let kept = batch.counts[rows].map { min(Int64($0), Int64(Self.mostDevices)) }
        batch.tokens.withUnsafeBufferPointer { tokens in
            for (place, row) in rows.enumerated() {
                let block = (first + place) / Self.rowsPerBlock
                while blockStarts.count <= block { blockStarts.append(UInt32(kinds.count)) }
                while keepsTokens, tokenBlocks.count <= block { tokenBlocks.append(TokenBlock()) }
                for index in 0..<Int(batch.counts[row]) {
                    let length = batch.tokenLengths[cursor.device]
                    let end = cursor.tokenStart + max(0, length)
                    if index < Self.mostDevices {
                        kinds.append(codes[Int(batch.kinds[cursor.device])])
                        let token = UnsafeBufferPointer(rebasing: tokens[cursor.tokenStart..<end])
                        if keepsTokens { tokenBlocks[block].append(length < 0 ? nil : token) }
                    }
                    cursor.device += 1
                    cursor.tokenStart = end
                }
            }
        }
        counts.append(kept, at: Array(first..<(first + rows.count)))
    }

    mutating func compact() {
        counts.compact()
        kinds.compact()
        blockStarts = blockStarts.withExactCapacity
        for index in tokenBlocks.indices { tokenBlocks[index].compact() }
    }

    var memory: Int { counts.memory + kinds.memory + blockStarts.capacity * 4 }

    var tokenMemory: Int { tokenBlocks.reduce(0) { $0 + $1.memory + 40 } }
}
