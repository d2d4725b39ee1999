import CSQLite

/// SQLite itself, whose settings are those of the whole process.
package enum SQLiteLibrary {
    private static let isPrepared: Void = sqlite_does_not_count_memory()

    /// Sets it up; before the first connection.
    package static func prepare() { isPrepared }
}
