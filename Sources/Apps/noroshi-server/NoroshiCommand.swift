import ArgumentParser
import Foundation
import Logging
import Model
import NoroshiWire
import Server
import StoreSQL

@main
struct NoroshiCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "noroshi",
        abstract: "Push notifications and customer engagement from one binary.",
        version: BuildInfo.version,
        subcommands: [
            ServeCommand.self, DemoCommand.self, APIKeyCommand.self, MemberCommand.self,
            WorkspaceCommand.self,
            AppCommand.self, CredentialsCommand.self, LiquidCommands.self, SimulateCommand.self,
            ImportCommand.self, ExportCommand.self, FactsCommand.self, PullCommand.self,
            PlanCommand.self, PatchCommand.self,
            ApplyCommand.self, RehearseCommand.self,
            SendsCommand.self, JourneysCommand.self, AnalyticsCommand.self, DoctorCommand.self,
            BackupCommand.self,
            RestoreCommand.self, ReleaseCommand.self, MoveCommand.self,
            SubscriptionGroupCommand.self,
            AudienceCommand.self, ServersCommand.self,
        ]
    )
}

/// The settings that every command understands; see `Settings` for the order of their sources.
struct SettingsOptions: ParsableArguments {
    @Option(
        help: """
            The database: sqlite:FILE or postgres://HOST/DATABASE. A password is better kept in \
            NOROSHI_DATABASE or in ~/.pgpass than on the command line, which others can see. \
            [NOROSHI_DATABASE; default sqlite:noroshi.sqlite]
            """
    )
    var database: String?

    @Option(help: "A configuration file in JSON with the same names. [NOROSHI_CONFIG]")
    var config: String?

    @Option(
        name: .customLong("log-level"),
        help: "trace, debug, info, notice, warning, error, critical. [NOROSHI_LOG_LEVEL]"
    )
    var logLevel: String?

    @Option(
        name: .customLong("secret-key-file"),
        help: """
            32 bytes in base64 that encrypt the push providers' credentials; made at the first \
            start beside the database. With PostgreSQL it must be given, the same to each server. \
            [NOROSHI_SECRET_KEY_FILE]
            """
    )
    var secretKeyFile: String?

    @Option(
        name: .customLong("update-copy"),
        help: """
            true: a database of an earlier version is copied before it is brought up to date, and \
            the last two copies stay beside it. Of a file only. [NOROSHI_UPDATE_COPY; default true]
            """
    )
    var updateCopy: String?

    func values(_ more: [String: String?] = [:]) -> [String: String] {
        var values = more
        values["database"] = database
        values["log-level"] = logLevel
        values["secret-key-file"] = secretKeyFile
        values["update-copy"] = updateCopy
        return values.compactMapValues(\.self)
    }

    func settings(_ more: [String: String?] = [:]) async throws -> Settings {
        try await Settings.load(
            options: values(more),
            configurationFile: config,
            environment: ProcessInfo.processInfo.environment
        )
    }
}

extension Logger {
    /// Logs to standard error; standard output is for the output of a command.
    static func command(_ level: Logger.Level) -> Logger {
        var logger = Logger(label: "noroshi") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = level
        return logger
    }
}

/// The workspace in the store: the one with the given name, or the only one.
func workspace(_ name: String?, in store: SQLStore) async throws -> Workspace {
    let all = try await store.workspaces()
    if let name {
        guard let found = all.first(where: { $0.name == name }) else {
            throw ValidationError(
                "there is no workspace '\(name)'; there are: "
                    + all.map { "'\($0.name)'" }.joined(separator: ", ")
            )
        }
        return found
    }
    if all.count > 1 {
        throw ValidationError(
            "name one with --workspace: " + all.map { "'\($0.name)'" }.joined(separator: ", ")
        )
    }
    if let only = all.first { return only }
    let id = try await store.createWorkspace(
        name: "Default",
        timeZone: TimeZone.current.identifier,
        now: ServerDependencies.live.now()
    )
    return Workspace(
        id: id,
        settings: WorkspaceSettings(name: "Default", timeZone: TimeZone.current.identifier)
    )
}
