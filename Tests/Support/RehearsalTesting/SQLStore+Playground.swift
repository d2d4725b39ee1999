import StoreSQL
import StoreTesting

extension SQLStore {
    /// Copies a test's store into a file, as a server does for a rehearsal, which plays there.
    ///
    /// - Parameter path: A file that is not there yet.
    /// - Returns: The copy, which is thrown away.
    package func playground(at path: String) async throws -> SQLStore {
        guard StoreKind.chosen == .postgres else {
            try await copy(to: path)
            return try SQLStore(path: path, isThrownAway: true)
        }
        let copy = try SQLStore(path: path, isThrownAway: true)
        try await DatabaseMove(from: self, to: copy).run()
        return copy
    }
}
