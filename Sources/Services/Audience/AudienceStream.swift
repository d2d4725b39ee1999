import Segments

/// One selected user with their devices, tokens included where they are kept.
package struct AudienceMember: Sendable, Hashable {
    package let profile: Int64
    package let devices: [AudienceDevice]
}

/// Some selected users, and where to go on after them.
package struct AudienceBatch: Sendable {
    package let members: [AudienceMember]
    /// Give it to `AudienceSelection.stream(after:)` to continue after this batch, also in a
    /// later process: it is the last member's row id.
    package let cursor: Int64
}

/// Hands out selected users batch by batch. It holds one batch and one chunk's bitmap at a time,
/// whatever the size of the audience.
package struct AudienceStream: Sequence, IteratorProtocol {
    private let evaluator: ChunkEvaluator
    private let batchSize: Int
    private var chunk: Int
    private var row: Int
    private var matches: [UInt64]?
    private var devices = DeviceCursor()

    init(selection: AudienceSelection, after cursor: Int64?, batchSize: Int) {
        evaluator = ChunkEvaluator(columns: selection.columns, node: selection.node)
        self.batchSize = Swift.max(1, batchSize)
        (chunk, row) = cursor.map(selection.columns.place(after:)) ?? (0, 0)
    }

    package mutating func next() -> AudienceBatch? {
        let columns = evaluator.columns
        var members: [AudienceMember] = []
        members.reserveCapacity(batchSize)
        while chunk < columns.chunks.count {
            let matches = matches ?? bitmap(of: chunk)
            self.matches = matches
            while let match = nextMatch(in: matches) {
                row = match + 1
                members.append(member(chunk: chunk, row: match))
                if members.count == batchSize { return batch(members) }
            }
            chunk += 1
            row = 0
            devices = DeviceCursor()
            self.matches = nil
        }
        return batch(members)
    }

    private func batch(_ members: [AudienceMember]) -> AudienceBatch? {
        members.last.map { AudienceBatch(members: members, cursor: $0.profile) }
    }

    private func bitmap(of chunk: Int) -> [UInt64] {
        let words = evaluator.columns.chunks[chunk].wordCount
        return evaluator.withMatches(inChunk: chunk) {
            Array(UnsafeBufferPointer(start: $0, count: words))
        }
    }

    private func nextMatch(in matches: [UInt64]) -> Int? {
        var word = row >> 6
        guard word < matches.count else { return nil }
        var bits = matches[word] & (.max << UInt64(row & 63))
        while bits == 0 {
            word += 1
            guard word < matches.count else { return nil }
            bits = matches[word]
        }
        return word * 64 + bits.trailingZeroBitCount
    }

    private mutating func member(chunk: Int, row: Int) -> AudienceMember {
        let columns = evaluator.columns
        let found = devices.devices(
            of: row,
            in: columns.chunks[chunk].devices,
            kinds: columns.kinds,
            keepsTokens: columns.policy.keepsTokens
        )
        return AudienceMember(
            profile: columns.chunks[chunk].ids.id(at: row),
            devices: found
        )
    }
}

/// Walks over the devices of a chunk's rows in ascending order, without starting over each time.
struct DeviceCursor {
    private var block = -1
    private var row = 0
    private var place = 0
    private var tokens = TokenBlock.Cursor()

    mutating func devices(
        of wanted: Int,
        in column: DeviceColumn,
        kinds: [AudienceDevice],
        keepsTokens: Bool
    ) -> [AudienceDevice] {
        guard wanted < column.counts.count else { return [] }
        let wantedBlock = wanted / DeviceColumn.rowsPerBlock
        if wantedBlock != block {
            block = wantedBlock
            row = block * DeviceColumn.rowsPerBlock
            place = column.range(at: row).lowerBound
            tokens = TokenBlock.Cursor()
        }
        let skipped = column.counts.sum(from: row, to: wanted)
        row = wanted
        place += skipped
        let count = column.count(at: wanted)
        let found =
            keepsTokens ? column.tokens(inBlock: block, skipping: skipped, count, &tokens) : []
        var devices: [AudienceDevice] = []
        devices.reserveCapacity(count)
        for index in 0..<count {
            var device = kinds[Int(column.kinds.value(at: place + index) ?? 0)]
            if keepsTokens { device.token = found[index] }
            devices.append(device)
        }
        place += count
        row += 1
        return devices
    }
}

extension AudienceColumns {
    /// The first place after a profile's, also when the profile itself is gone.
    fileprivate func place(after id: Int64) -> (chunk: Int, row: Int) {
        if let (chunk, row) = place(of: id) { return (chunk, row + 1) }
        let chunk = firstChunk(reaching: id)
        guard chunk < chunks.count else { return (chunk, 0) }
        let row = chunks[chunk].ids.firstRow(atLeast: id)
        return (chunk, chunks[chunk].ids.row(of: id) == nil ? row : row + 1)
    }
}
