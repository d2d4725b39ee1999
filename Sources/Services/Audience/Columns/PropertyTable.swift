import Segments

/// The occurrences of one activity with the values of some of its properties, in the order in which
/// they came.
///
/// Series hold no properties, because few are ever asked for. A table is made for the first report
/// that looks at one, and follows every later commit as the columns do.
struct PropertyTable: Sendable {
    /// One chunk's occurrences, a value for each in every array.
    struct Chunk: Sendable {
        fileprivate(set) var rows: [UInt16] = []
        /// Unix seconds.
        fileprivate(set) var times: [Int64] = []
        /// How many pieces were bought; empty where nothing is.
        fileprivate(set) var quantities: [UInt32] = []
        /// For each name the codes of the values.
        fileprivate(set) var codes: [[UInt32]]

        fileprivate init(names: Int) { codes = Array(repeating: [], count: names) }

        /// The occurrences within a range of times.
        func indices(in range: Range<Int64>) -> [Int32] {
            var indices: [Int32] = []
            times.withUnsafeBufferPointer { times in
                for index in times.indices where range.contains(times[index]) {
                    indices.append(Int32(index))
                }
            }
            return indices
        }
    }

    let activity: Activity
    /// The properties, in the order of their names.
    let names: [String]
    private(set) var chunks: [Chunk] = []
    /// The values of each name.
    private(set) var values: [PropertyValues]
    private(set) var count = 0
    /// The memory of all values, in bytes.
    private var memoryOfValues = 0
    private let policy: ColumnPolicy

    init(_ names: Set<String>, of activity: Activity, policy: ColumnPolicy) {
        self.policy = policy
        self.names = names.sorted()
        self.activity = activity
        values = Array(repeating: PropertyValues(), count: names.count)
    }

    /// Whether it has become too large to be kept.
    var isTooLarge: Bool {
        count > policy.maxTableOccurrences || memory > policy.maxTableMemory
    }

    /// An estimate, in bytes.
    var memory: Int {
        count * Self.bytes(of: activity, names: names.count) + memoryOfValues
    }

    /// What an occurrence takes besides values that nobody had before, in bytes.
    static func bytes(of activity: Activity, names: Int) -> Int {
        10 + (activity == .purchase ? 4 : 0) + 4 * names
    }

    /// The occurrences of a chunk; `nil` where there are none.
    func chunk(_ number: Int) -> Chunk? { number < chunks.count ? chunks[number] : nil }

    func holds(_ wanted: Set<String>) -> Bool { wanted.isSubset(of: names) }

    /// Where a property stands in every list of names, values and codes.
    func place(of name: String) -> Int? { names.firstIndex(of: name) }

    mutating func append(_ event: AudienceEvent, chunk: Int, row: Int) {
        reserve(chunk)
        chunks[chunk].rows.append(UInt16(row))
        chunks[chunk].times.append(event.time)
        if activity == .purchase {
            chunks[chunk].quantities.append(UInt32(clamping: event.quantity))
        }
        for (place, name) in names.enumerated() {
            let before = values[place].memory
            let code = values[place].code(adding: event.properties[name])
            memoryOfValues += values[place].memory - before
            chunks[chunk].codes[place].append(code)
        }
        count += 1
    }

    private mutating func reserve(_ chunk: Int) {
        while chunks.count <= chunk { chunks.append(Chunk(names: names.count)) }
    }

    /// Moves a row's occurrences to another one; without one they are gone.
    mutating func move(
        from source: (chunk: Int, row: Int),
        to target: (chunk: Int, row: Int)?
    ) {
        guard let old = chunk(source.chunk) else { return }
        let row = UInt16(source.row)
        guard old.rows.contains(row) else { return }
        var kept = Chunk(names: names.count)
        if let target { reserve(target.chunk) }
        // Within a chunk only the rows' numbers change.
        if let target, target.chunk == source.chunk {
            for index in old.rows.indices where old.rows[index] == row {
                chunks[source.chunk].rows[index] = UInt16(target.row)
            }
            return
        }
        for index in old.rows.indices {
            if old.rows[index] != row {
                kept.append(index, of: old, as: old.rows[index])
            } else if let target {
                chunks[target.chunk].append(index, of: old, as: UInt16(target.row))
            } else {
                count -= 1
            }
        }
        chunks[source.chunk] = kept
    }
}

extension PropertyTable.Chunk {
    fileprivate mutating func append(_ index: Int, of other: Self, as row: UInt16) {
        rows.append(row)
        times.append(other.times[index])
        if !other.quantities.isEmpty { quantities.append(other.quantities[index]) }
        for place in codes.indices { codes[place].append(other.codes[place][index]) }
    }
}
