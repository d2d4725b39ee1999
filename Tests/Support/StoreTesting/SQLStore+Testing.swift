import Foundation
import PostgresTesting
import StoreSQL

extension SQLStore {
    /// A store for a test, which need not survive a loss of power.
    ///
    /// Making the schema is most of what a new store costs, so each process makes it once and copies it.
    ///
    /// - Parameters:
    ///   - path: The file; a database without rows if it is missing. On PostgreSQL it holds the address of
    ///     the database.
    ///   - kind: The database.
    /// - Throws: What opening a database or writing a file can throw.
    package static func testing(
        at path: String,
        on kind: StoreKind = .chosen
    ) throws -> SQLStore {
        if kind == .postgres {
            let address = try PostgresDatabases.address(at: path)
            let pooler =
                StoreKind.isPooled ? try TemporaryPooler.shared().address(of: address) : nil
            return try SQLStore(postgres: address, pooler: pooler, readers: 2)
        }
        try makeEmptyFile(at: path)
        return try SQLStore(path: path, synchronous: .normal)
    }

    /// Makes a database with the schema and without rows, unless there is a file.
    static func makeEmptyFile(at path: String) throws {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        try emptyDatabase.get().write(to: URL(filePath: path))
    }

    private static let emptyDatabase = Result {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-schema-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "empty.sqlite")
        // The end of its last connection writes what is in the log into the file.
        _ = try SQLStore(path: file.path, synchronous: .normal)
        return try Data(contentsOf: file)
    }
}
