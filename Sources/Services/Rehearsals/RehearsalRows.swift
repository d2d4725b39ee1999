import Synchronization

/// Rows that wait to be written in an order of their own: by time, and those of one moment by who gets what. So
/// a file of rows is the same whoever notes them first.
final class RehearsalRows: Sendable {
    private let waiting = Mutex<[RehearsalRow]>([])
    private let write: @Sendable (RehearsalRow) throws -> Void

    init(write: @escaping @Sendable (RehearsalRow) throws -> Void) { self.write = write }

    func add(_ row: RehearsalRow) { waiting.withLock { $0.append(row) } }

    /// Writes all that wait: nothing of their time comes any more.
    func flush() throws {
        let rows = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for row in rows.sorted(by: { $0.precedes($1) }) { try write(row) }
    }
}

extension RehearsalRow {
    fileprivate func precedes(_ other: RehearsalRow) -> Bool {
        if time != other.time { return time < other.time }
        if source != other.source { return source < other.source }
        if user != other.user { return user < other.user }
        return rest(of: self).lexicographicallyPrecedes(rest(of: other))
    }

    private func rest(of row: RehearsalRow) -> [String] {
        [
            row.platform, row.outcome.rawValue, row.reason, row.variant, row.title, row.body,
            row.rest, row.language,
        ]
    }
}
