import Model
import Ports
import Reasons
import Relational

/// Writes a row; throws an error that says so if its name is taken.
func unlessTaken<Result>(
    _ name: String,
    _ write: () throws -> Result
) throws -> Result {
    do {
        return try write()
    } catch  where DatabaseError(error)?.kind == .taken {
        throw StoreError(.exists, .nameTaken, ["name": .text(name)])
    }
}
