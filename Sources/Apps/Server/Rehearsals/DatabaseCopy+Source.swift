import Foundation
import Model
import Rehearsals
import StoreSQL

extension DatabaseCopy {
    /// Copies of a server's database where there is room for them: beside a file, and of PostgreSQL's in the
    /// folder for temporary files. Only the server that has claimed the database may ask for one.
    static func source(
        of database: DatabaseLocation,
        _ store: SQLStore
    ) -> RehearsalService.Source {
        let folder = folder(of: database)
        // Left by a server that was killed: it has everybody's data.
        try? FileManager.default.removeItem(at: folder)
        return RehearsalService.Source(
            size: {
                // Where that cannot be told, the copy says what is wrong.
                let free = SystemFigures.disk(of: folder.path)?.free ?? Double(Int32.max) * 1_000
                return (Int(try await store.storedBytes()), Int(free))
            },
            copy: {
                let copy = try await DatabaseCopy(of: database, in: folder)
                return RehearsalService.Copy(copy.store, remove: copy.remove)
            }
        )
    }

    /// The same at each start of a server.
    static func folder(of database: DatabaseLocation) -> URL {
        switch database {
        case .file(let path): URL(filePath: path + ".rehearsal")
        case .postgres:
            FileManager.default.temporaryDirectory
                .appending(path: "noroshi-rehearsal-\(UUID(named: database.name.utf8))")
        }
    }
}
