import Ports
import Reports
import Segments
import Synchronization

/// Makes reports of one snapshot of the columns.
package struct ReportEngine: Sendable {
    let columns: ColumnSnapshot
    /// The users who count, a bitmap for each chunk; `nil` for all.
    let selected: [[UInt64]]?
    /// The users of each segment that the breakdown names.
    let segments: [[[UInt64]]]
    /// What columns do not know.
    let source: any UserRowReader
    let time: EvaluationTime
    let workers: Int
    /// How many rows are read at most.
    let mostRows: Int

    package init(
        columns: ColumnSnapshot,
        selected: [[UInt64]]? = nil,
        segments: [[[UInt64]]] = [],
        source: any UserRowReader,
        time: EvaluationTime,
        workers: Int,
        mostRows: Int = ReportLimits.rows
    ) {
        self.columns = columns
        self.selected = selected
        self.segments = segments
        self.source = source
        self.time = time
        self.workers = workers
        self.mostRows = mostRows
    }

    /// Runs some work for each chunk on several processors.
    func forEachChunk<Result: Sendable>(
        _ body: @escaping @Sendable (Int) -> Result
    ) async throws -> [Result] {
        try await WorkerPool.map(columns.chunks.count, workers: workers, state: {}) { _, chunk in
            body(chunk)
        }
    }

    /// The same for work that adds to one sum.
    func sum<Sum: Sendable>(
        _ zero: Sum,
        of work: @escaping @Sendable (Int) -> Sum,
        adding add: @escaping @Sendable (inout Sum, Sum) -> Void
    ) async throws -> Sum {
        let total = SharedSum(zero)
        _ = try await forEachChunk { chunk in
            let part = work(chunk)
            total.value.withLock { add(&$0, part) }
        }
        return total.value.withLock { $0 }
    }

    private final class SharedSum<Value: Sendable>: Sendable {
        let value: Mutex<Value>

        init(_ value: Value) { self.value = Mutex(value) }
    }

    /// The groups of a breakdown by what users are.
    ///
    /// - Parameter populations: The users of the report, a bitmap for each chunk.
    func groups(
        _ traits: UserTraits,
        of populations: [[UInt64]],
        limit: Int
    ) async throws -> ReportGroups {
        let counts = try await sum([String?: Int]()) { chunk in
            traits.counts(inChunk: chunk, of: populations[chunk])
        } adding: {
            $0.merge($1, uniquingKeysWith: +)
        }
        return traits.groups(counts, limit: limit)
    }

    /// The groups of a breakdown by a property.
    ///
    /// - Parameter users: How many each value has, the last number for none.
    static func groups(_ texts: [String], users: [Int], limit: Int) -> ReportGroups {
        var counts: [String?: Int] = [:]
        for (number, count) in users.enumerated() where count > 0 {
            counts[number < texts.count ? texts[number] : nil] = count
        }
        return ReportGroups(counts, limit: limit)
    }
}

extension AudienceSelection {
    /// The selected users, a bitmap for each chunk.
    func bitmaps(workers: Int) async throws -> [[UInt64]] {
        let (columns, node) = (columns, node)
        return try await WorkerPool.map(columns.chunks.count, workers: workers) {
            ChunkEvaluator(columns: columns, node: node)
        } each: { evaluator, index in
            evaluator.withMatches(inChunk: index) { matches in
                Array(
                    UnsafeBufferPointer(start: matches, count: columns.chunks[index].wordCount)
                )
            }
        }
    }
}
