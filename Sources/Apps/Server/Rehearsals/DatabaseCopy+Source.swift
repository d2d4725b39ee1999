import Foundation
import Model
import Rehearsals
import StoreSQL

extension DatabaseCopy {
    /// Copies of a server's database where there is room for them: beside a file, and of PostgreSQL's in the
    /// folder for temporary files.
    static func source(
        of database: DatabaseLocation,
        _ store: SQLStore
    ) -> RehearsalService.Source {
        for folder in leftFolders(of: database) { try? FileManager.default.removeItem(at: folder) }
        let folder = folder(of: database)
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

    /// Of a file the same at each start of its one server; of a database of PostgreSQL, on which several servers of
    /// one machine may work, this process's own.
    static func folder(
        of database: DatabaseLocation,
        process: Int32 = ProcessInfo.processInfo.processIdentifier
    ) -> URL {
        switch database {
        case .file(let path): URL(filePath: path + ".rehearsal")
        case .postgres:
            FileManager.default.temporaryDirectory
                .appending(path: "\(prefix(of: database))-\(process)")
        }
    }

    /// Servers of an earlier version had a folder of this name.
    private static func prefix(of database: DatabaseLocation) -> String {
        "noroshi-rehearsal-\(UUID(named: database.name.utf8))"
    }

    /// The folders of servers that were killed: they have everybody's data.
    private static func leftFolders(of database: DatabaseLocation) -> [URL] {
        let own = folder(of: database)
        guard case .postgres = database else { return [own] }
        let place = own.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        let prefix = prefix(of: database)
        return names.filter { $0.hasPrefix(prefix) }.compactMap { name in
            let rest = name.dropFirst(prefix.count)
            guard !rest.isEmpty else { return place.appending(path: name) }
            guard rest.hasPrefix("-"), let process = Int32(rest.dropFirst()) else { return nil }
            let isOther = process != ProcessInfo.processInfo.processIdentifier
            // Signal 0 only asks whether there is one.
            if isOther, kill(process, 0) == 0 || errno == EPERM { return nil }
            return place.appending(path: name)
        }
    }
}
