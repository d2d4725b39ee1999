import Model
import Ports
import Reasons
import Relational

/// Writes a row; throws an error that says so if its name is taken.
func unlessTaken<Result>(
    _ name: String,
    _ database: Database,
    _ write: () throws -> Result
) throws -> Result {
    try database.settle()
    do {
        let result = try write()
        try database.settle()
        return result
    } catch  where DatabaseError(error)?.kind == .taken {
        throw StoreError(.exists, .nameTaken, ["name": .text(name)])
    }
}
