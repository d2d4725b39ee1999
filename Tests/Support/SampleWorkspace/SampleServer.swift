import Accounts
import Foundation
import Logging
import Model
import Ports
import Server
import ServerTesting
import StoreSQL
import StoreTesting

/// A server over a new database with the sample in it, without a port.
///
/// The sample is written once for each size and moment, into a file; each server gets a copy of the file or,
/// where tests work on PostgreSQL, of a database into which the file was moved.
package struct SampleServer: Sendable {
    package let server: NoroshiServer
    private let folder: URL

    /// - Parameters:
    ///   - now: The moment at which the last of the sample has happened.
    ///   - clock: The server's; it stands still at `now` unless stated.
    ///   - logger: What the server writes its log to; nothing unless stated.
    ///   - change: Changes what the server is told.
    /// - Throws: What opening a database or writing the sample can throw.
    package static func open(
        _ size: SampleSize,
        now: Date = SampleWorkspace.now,
        clock: (@Sendable () -> Date)? = nil,
        logger: Logger = Logger(label: "sample") { _ in SwiftLogNoOpLogHandler() },
        settings change: @Sendable (inout Settings) -> Void = { _ in }
    ) async throws -> SampleServer {
        let template = try await SampleFiles.shared.template(size, now: now)
        let folder = try SampleFiles.folder()
        try SampleFiles.copy(template, to: folder)
        return SampleServer(
            server: try await server(
                of: try TestDatabase(at: folder.appending(path: SampleFiles.database).path),
                clock: clock ?? { now },
                logger: logger,
                settings: change
            ),
            folder: folder
        )
    }

    /// Removes the database.
    package func remove() { try? FileManager.default.removeItem(at: folder) }

    fileprivate static func server(
        of database: TestDatabase,
        clock: @escaping @Sendable () -> Date,
        logger: Logger = Logger(label: "sample") { _ in SwiftLogNoOpLogHandler() },
        settings change: @Sendable (inout Settings) -> Void = { _ in }
    ) async throws -> NoroshiServer {
        var settings = database.settings
        change(&settings)
        var dependencies = ServerDependencies.live
        dependencies.now = clock
        // The hashes of this sample protect nothing.
        dependencies.passwordRounds = 16
        return try await NoroshiServer.open(
            settings: settings,
            dependencies: dependencies,
            logger: logger
        )
    }
}

/// The databases that are copied.
private actor SampleFiles {
    static let shared = SampleFiles()
    static let database = "sample.sqlite"
    /// In a template, the address of the database on PostgreSQL into which its file was moved.
    private static let moved = "sample.postgres"

    private struct Key: Hashable {
        var size: SampleSize
        var now: Date
    }

    private var templates: [Key: Task<URL, any Error>] = [:]

    static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-sample-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// Copies the database and its key.
    static func copy(_ template: URL, to folder: URL) throws {
        let isMoved = StoreKind.chosen == .postgres
        for name in try FileManager.default.contentsOfDirectory(atPath: template.path)
        where isMoved ? name.hasSuffix(".key") : !name.hasSuffix("-shm") && !name.hasSuffix(".lock")
        {
            try FileManager.default.copyItem(
                at: template.appending(path: name),
                to: folder.appending(path: name)
            )
        }
        guard isMoved else { return }
        try DatabaseLocation.copy(
            postgres: template.appending(path: moved).path,
            to: folder.appending(path: database).path
        )
    }

    func template(_ size: SampleSize, now: Date) async throws -> URL {
        let key = Key(size: size, now: now)
        if let known = templates[key] { return try await known.value }
        let task = Task { try await Self.make(size, now: now) }
        templates[key] = task
        return try await task.value
    }

    private static func make(_ size: SampleSize, now: Date) async throws -> URL {
        let folder = try folder()
        let file = folder.appending(path: database).path
        let server = try await SampleServer.server(
            of: try TestDatabase(at: file, on: .sqlite),
            clock: { now }
        )
        let workspace = try await server.store.createWorkspace(
            name: "Kissa Aoi",
            timeZone: "Asia/Tokyo",
            now: now.addingTimeInterval(-50 * 86_400)
        )
        for role in Member.Role.allCases.sorted().reversed() {
            _ = try await server.members.add(
                MemberDirectory.Draft(
                    email: role == .administrator
                        ? "admin@example.com" : "\(role.rawValue)@example.com",
                    name: role == .administrator ? "Hanae Mori" : "Paulo Reis",
                    role: role,
                    password: SampleWorkspace.password
                ),
                by: .commandLine(account: "test", workspace)
            )
        }
        try await SampleWorkspace.fill(workspace, of: server.store, size: size, now: now)
        // A copy of an open database could be half of one.
        try await (server.store as? SQLStore)?.close()
        if StoreKind.chosen == .postgres {
            let source = try SQLStore(path: file)
            let target = try SQLStore.testing(at: folder.appending(path: moved).path)
            try await DatabaseMove(from: source, to: target).run { _ in }
            try await source.close()
            try await target.close()
        }
        return folder
    }
}
