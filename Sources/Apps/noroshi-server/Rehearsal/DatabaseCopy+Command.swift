import Foundation
import Server
import StoreSQL
import UnixSignals

extension DatabaseCopy {
    /// Works with a copy, which is removed afterwards, also when the command is interrupted: a copy of
    /// everybody does not stay behind.
    ///
    /// - Parameter database: As in ``init(of:in:)``.
    static func with<Value>(
        of database: DatabaseLocation?,
        _ body: (DatabaseCopy) async throws -> Value
    ) async throws -> Value {
        let folder = temporaryFolder()
        let interrupted = Task {
            for await _ in await UnixSignalsSequence(trapping: .sigterm, .sigint) {
                try? FileManager.default.removeItem(at: folder)
                Foundation.exit(130)
            }
        }
        defer { interrupted.cancel() }
        let copy = try await DatabaseCopy(of: database, in: folder)
        defer { copy.remove() }
        return try await body(copy)
    }
}
