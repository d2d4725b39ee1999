/// Memory that one worker reuses from chunk to chunk. Never shared between workers.
final class EvaluationScratch {
    static let words = AudienceChunk.capacity / 64

    private var free: [UnsafeMutablePointer<UInt64>] = []
    /// A small count per row; users must clear it first.
    let counters = UnsafeMutablePointer<UInt8>.allocate(capacity: AudienceChunk.capacity)

    private lazy var groupOfRow = UnsafeMutablePointer<UInt16>.allocate(
        capacity: AudienceChunk.capacity
    )
    private var hasGroups = false

    deinit {
        for bitmap in free { bitmap.deallocate() }
        counters.deallocate()
        if hasGroups { groupOfRow.deallocate() }
    }

    /// The group of each row of a chunk; valid until the next call.
    func groups(_ groups: ZoneGroups, of chunk: AudienceChunk) -> UnsafePointer<UInt16> {
        hasGroups = true
        groups.write(chunk, to: groupOfRow)
        return UnsafePointer(groupOfRow)
    }

    /// Calls `body` with a bitmap of a whole chunk with arbitrary content.
    func withBitmap<Result>(_ body: (UnsafeMutablePointer<UInt64>) -> Result) -> Result {
        let bitmap = free.popLast() ?? .allocate(capacity: Self.words)
        defer { free.append(bitmap) }
        return body(bitmap)
    }
}
