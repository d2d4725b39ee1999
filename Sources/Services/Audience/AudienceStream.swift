/// Iterates over the row ids of selected users batch by batch. It holds one batch and one chunk's
/// bitmap at a time, whatever the size of the audience.
///
/// To continue after a batch, even in a later process, pass its last row id to
/// `AudienceSelection.stream(after:)`.
package struct AudienceStream: Sequence, IteratorProtocol {
    private let evaluator: ChunkEvaluator
    private let batchSize: Int
    private var chunk: Int
    private var row: Int
    private var matches: [UInt64]?

    init(selection: AudienceSelection, after cursor: Int64?, batchSize: Int) {
        evaluator = ChunkEvaluator(columns: selection.columns, node: selection.node)
        self.batchSize = Swift.max(1, batchSize)
        (chunk, row) = cursor.map(selection.columns.place(after:)) ?? (0, 0)
    }

    package mutating func next() -> [Int64]? {
        let columns = evaluator.columns
        var profiles: [Int64] = []
        profiles.reserveCapacity(batchSize)
        while chunk < columns.chunks.count {
            let matches = matches ?? bitmap(of: chunk)
            self.matches = matches
            while let match = nextMatch(in: matches) {
                row = match + 1
                profiles.append(columns.chunks[chunk].ids.id(at: match))
                if profiles.count == batchSize { return profiles }
            }
            chunk += 1
            row = 0
            self.matches = nil
        }
        return profiles.isEmpty ? nil : profiles
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
}

extension ColumnSnapshot {
    /// The first place after a profile, even if the profile was deleted.
    fileprivate func place(after id: Int64) -> (chunk: Int, row: Int) {
        if let (chunk, row) = place(of: id) { return (chunk, row + 1) }
        let chunk = firstChunk(reaching: id)
        guard chunk < chunks.count else { return (chunk, 0) }
        let row = chunks[chunk].ids.firstRow(atLeast: id)
        return (chunk, chunks[chunk].ids.row(of: id) == nil ? row : row + 1)
    }
}
