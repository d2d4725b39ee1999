import Segments

/// Evaluates a prepared rule chunk by chunk, for one worker.
struct ChunkEvaluator {
    let columns: ColumnSnapshot
    let node: QueryNode
    let scratch = EvaluationScratch()

    /// Calls `body` with the bitmap of the chunk's matching users.
    func withMatches<Result>(
        inChunk index: Int,
        _ body: (UnsafeMutablePointer<UInt64>) -> Result
    ) -> Result {
        scratch.withBitmap { target in
            let chunk = columns.chunks[index]
            evaluate(node, index, chunk, into: target)
            let spare = chunk.wordCount * 64 - chunk.count
            if spare > 0 { target[chunk.wordCount - 1] &= .max >> UInt64(spare) }
            if chunk.removedCount > 0 {
                for (word, bits) in chunk.removed.words.enumerated() { target[word] &= ~bits }
            }
            return body(target)
        }
    }

    private func evaluate(
        _ node: QueryNode,
        _ index: Int,
        _ chunk: AudienceChunk,
        into target: UnsafeMutablePointer<UInt64>
    ) {
        let words = chunk.wordCount
        switch node {
        case .everyone:
            target.update(repeating: .max, count: words)
        case .nobody:
            target.update(repeating: 0, count: words)
        case .all(let nodes):
            combine(nodes, index, chunk, into: target, isAll: true)
        case .any(let nodes):
            combine(nodes, index, chunk, into: target, isAll: false)
        case .not(let inner):
            evaluate(inner, index, chunk, into: target)
            for word in 0..<words { target[word] = ~target[word] }
        case .attribute(let probe):
            target.update(repeating: 0, count: words)
            if probe.attribute < chunk.attributes.count {
                probe.add(
                    chunk.attributes[probe.attribute],
                    of: chunk,
                    scratch: scratch,
                    into: target
                )
            }
        case .activity(let probe):
            probe.evaluate(chunk, scratch: scratch, into: target)
        case .device(let kinds):
            target.update(repeating: 0, count: words)
            addDevices(kinds, chunk.devices, into: target)
        case .deviceCount(let counts):
            target.update(repeating: 0, count: words)
            addDeviceCounts(counts, chunk, into: target)
        case .bucket(let buckets):
            target.update(repeating: 0, count: words)
            RowKernels.addRows(chunk.count, into: target) { row in
                buckets[RandomBucket.bucket(ofRow: chunk.ids.id(at: row))]
            }
        case .rows(let bitmaps):
            target.update(repeating: 0, count: words)
            if index < bitmaps.count { bitmaps[index].union(into: target, count: words) }
        }
    }

    private func combine(
        _ nodes: [QueryNode],
        _ index: Int,
        _ chunk: AudienceChunk,
        into target: UnsafeMutablePointer<UInt64>,
        isAll: Bool
    ) {
        let words = chunk.wordCount
        guard let first = nodes.first else {
            target.update(repeating: isAll ? .max : 0, count: words)
            return
        }
        evaluate(first, index, chunk, into: target)
        for node in nodes.dropFirst() {
            if isAll {
                var found: UInt64 = 0
                for word in 0..<words { found |= target[word] }
                if found == 0 { return }
            }
            scratch.withBitmap { other in
                evaluate(node, index, chunk, into: other)
                if isAll {
                    for word in 0..<words { target[word] &= other[word] }
                } else {
                    for word in 0..<words { target[word] |= other[word] }
                }
            }
        }
    }

    private func addDevices(
        _ marked: [UInt8],
        _ devices: DeviceColumn,
        into target: UnsafeMutablePointer<UInt64>
    ) {
        var place = 0
        devices.counts.forEach { row, count in
            for _ in 0..<count {
                let kind = Int(devices.kinds.value(at: place) ?? 0)
                if marked[kind] == 1 { target[row >> 6] |= 1 << UInt64(row & 63) }
                place += 1
            }
        }
    }

    private func addDeviceCounts(
        _ table: CodeTable,
        _ chunk: AudienceChunk,
        into target: UnsafeMutablePointer<UInt64>
    ) {
        // Usually the marked numbers form one range, which compares faster than a table.
        guard let low = table.marked.first, let high = table.marked.last else { return }
        if Int(high - low) + 1 == table.marked.count {
            chunk.devices.counts.addRange(Int64(low)...Int64(high), into: target)
        } else {
            chunk.devices.counts.addTable(table, into: target)
        }
    }
}
