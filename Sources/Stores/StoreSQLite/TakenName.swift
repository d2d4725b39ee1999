import GRDB
import Model
import Ports
import Reasons

/// Writes a row; throws an error that says so if its name is taken.
func unlessTaken<Result>(
    _ name: String,
    _ write: () throws -> Result
) throws -> Result {
    do {
        return try write()
    } catch let error as DatabaseError
        where [.SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY]
        .contains(error.extendedResultCode)
    {
        throw StoreError(.exists, .nameTaken, ["name": .text(name)])
    }
}
