/// A rule prepared for columns: names are numbers, times are seconds, patterns are tables.
indirect enum QueryNode: Sendable {
    case everyone
    case nobody
    /// In order of cost, so that expensive parts are often skipped.
    case all([QueryNode])
    case any([QueryNode])
    case not(QueryNode)
    case attribute(AttributePredicate)
    case activity(ActivityPredicate)
    /// Marks the matching device kinds.
    case device(kinds: [UInt8])
    /// Marks the matching numbers of devices.
    case deviceCount(CodeTable)
    /// Marks the matching random buckets.
    case bucket([Bool])
    /// Precomputed rows, per chunk.
    case rows([RowBitmap])

    var cost: Int {
        switch self {
        case .everyone, .nobody, .rows: 0
        case .attribute(let probe): probe.cost
        case .deviceCount: 1
        case .activity: 3
        case .device: 4
        case .bucket: 5
        case .not(let inner): inner.cost
        case .all(let nodes), .any(let nodes): nodes.reduce(1) { $0 + $1.cost }
        }
    }
}
