import Logging
import Model
import StoreSQL

extension NoroshiServer {
    /// Opens the database and creates the parts; nothing runs before `run`. A server on PostgreSQL waits
    /// here, on standby, as long as servers of an earlier version work on a schema that it has to change.
    ///
    /// - Throws: `SettingError` or `StoreError` with a readable message.
    package static func open(
        settings: Settings,
        dependencies: ServerDependencies = .live,
        servers: PushEndpoints? = nil,
        logger: Logger
    ) async throws -> NoroshiServer {
        guard case .postgres(let address) = settings.database else {
            return try NoroshiServer(
                settings: settings,
                dependencies: dependencies,
                servers: servers,
                logger: logger
            )
        }
        // What is wrong with the settings is said before the wait, which may last.
        _ = try settings.metrics?.key()
        _ = try SecretKey.load(settings, random: dependencies.random)
        _ = try servers ?? settings.pushServers()
        let standby = Standby(
            settings,
            certificate: try certificate(settings.tls, now: dependencies.now()),
            logger
        )
        let database: ServerDatabase
        do {
            database = try await ServerDatabase(
                postgres: address,
                settings,
                standby: standby,
                dependencies: dependencies,
                logger
            )
        } catch {
            await standby.end()
            throw error
        }
        await standby.end()
        if standby.hasBegun { logger.notice("standby: this server works now") }
        return try NoroshiServer(
            settings: settings,
            dependencies: dependencies,
            servers: servers,
            logger: logger
        ) { database }
    }
}
