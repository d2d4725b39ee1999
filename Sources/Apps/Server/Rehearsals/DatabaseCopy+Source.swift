import Foundation
import Model
import Rehearsals
import StoreSQL

extension DatabaseCopy {
    /// Copies of a server's database, beside it, where there is room for both. Only the server that has
    /// claimed the database may ask for one. `nil` for a database of PostgreSQL, which is no file.
    static func source(of database: DatabaseLocation) -> RehearsalService.Source? {
        guard let path = database.path else { return nil }
        let folder = URL(filePath: path + ".rehearsal")
        // Left by a server that was killed: it has everybody's data.
        try? FileManager.default.removeItem(at: folder)
        return RehearsalService.Source(
            size: {
                let database = SystemFigures.size(of: path) + SystemFigures.size(of: path + "-wal")
                // Where that cannot be told, the copy says what is wrong.
                let free = SystemFigures.disk(of: path)?.free ?? Double(Int32.max) * 1_000
                return (Int(database), Int(free))
            },
            copy: {
                let copy = try await DatabaseCopy(of: path, in: folder)
                return RehearsalService.Copy(copy.store, remove: copy.remove)
            }
        )
    }
}
