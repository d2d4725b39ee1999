/// A rule made ready for columns: names are numbers, moments are seconds, patterns are tables.
indirect enum AudienceNode: Sendable {
    case everyone
    case nobody
    /// In the order of cost, so that dear parts are often not needed.
    case all([AudienceNode])
    case any([AudienceNode])
    case not(AudienceNode)
    case attribute(AttributeProbe)
    case activity(ActivityProbe)
    /// Marks the device kinds of which one will do.
    case device(kinds: [UInt8])
    /// Marks the numbers of devices that will do.
    case deviceCount(CodeTable)
    /// Marks the random buckets that will do.
    case bucket([Bool])
    /// Rows found beforehand, for each chunk.
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
