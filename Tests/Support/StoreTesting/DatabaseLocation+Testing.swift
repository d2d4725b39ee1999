import StoreSQL

extension DatabaseLocation {
    /// Where a test's database is.
    ///
    /// - Parameters:
    ///   - path: The file; a database with the schema and without rows if it is missing. On PostgreSQL it holds
    ///     the address of such a database.
    ///   - kind: The database.
    /// - Throws: What making a database or writing a file can throw.
    package static func testing(
        at path: String,
        on kind: StoreKind = .chosen
    ) throws -> DatabaseLocation {
        switch kind {
        case .sqlite:
            try SQLStore.makeEmptyFile(at: path)
            return .file(path)
        case .postgres: return .postgres(try PostgresDatabases.address(at: path))
        }
    }

    /// Makes a database of PostgreSQL that is a copy of another one.
    ///
    /// - Parameters:
    ///   - original: The file that holds the address of the other one, to which nobody is connected any more.
    ///   - path: The file that gets the address of the copy.
    package static func copy(postgres original: String, to path: String) throws {
        _ = try PostgresDatabases.address(
            at: path,
            copying: PostgresDatabases.address(at: original)
        )
    }
}
