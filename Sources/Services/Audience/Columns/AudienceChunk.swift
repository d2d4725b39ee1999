import Segments

/// Up to 65,536 users with all of their columns, so that row numbers fit 16 bits and one worker
/// evaluates a chunk within its processor's cache.
struct AudienceChunk: Sendable {
    static let capacity = 65_536

    var ids = ProfileRowIDs()
    /// Rows whose profile was deleted or merged.
    var removed = RowBitmap()
    var removedCount = 0
    /// By attribute number; missing attributes are absent for all rows.
    var attributes: [AttributeColumn] = []
    var devices = DeviceColumn()
    /// By activity number.
    var series: [ActivitySeries] = []

    var count: Int { ids.count }

    var wordCount: Int { (count + 63) / 64 }

    mutating func reserve(attributes count: Int) {
        while attributes.count < count { attributes.append(AttributeColumn()) }
    }

    mutating func reserve(series count: Int) {
        while series.count < count { series.append(ActivitySeries()) }
    }
}
