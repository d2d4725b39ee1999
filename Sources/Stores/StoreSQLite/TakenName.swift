import GRDB
import Model
import Ports

/// Writes a row; throws an error with the given message if its name is taken.
func unlessTaken<Result>(
    _ sentence: @autoclosure () -> String,
    _ write: () throws -> Result
) throws -> Result {
    do {
        return try write()
    } catch let error as DatabaseError
        where [.SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY]
        .contains(error.extendedResultCode)
    {
        throw StoreError(.exists, sentence())
    }
}
