import Accounts
import ArgumentParser
import Foundation
import Model
import Server
import StoreSQL

/// The name of a workspace and the time zone of its days.
struct WorkspaceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "workspace",
        abstract: "The workspaces and their settings.",
        subcommands: [Show.self, Change.self, List.self, Create.self],
        defaultSubcommand: Show.self
    )

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Prints the settings.")

        @OptionGroup var options: WorkspaceOptions

        func run() async throws {
            let workspace = try await options.openExisting()
            try await print(workspace.workspaces.workspace(workspace.id).settings)
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Changes settings; what is not named stays. A running server follows at once."
        )

        @OptionGroup var options: WorkspaceOptions
        @Option(help: "What it is called.")
        var name: String?
        @Option(help: "The IANA name of the zone in which its days begin, such as Asia/Tokyo.")
        var timeZone: String?
        @Option(help: "The currency of its revenue (ISO 4217), such as JPY.")
        var currency: String?
        @Option(help: "The languages that it writes in (ISO 639), with commas between them.")
        var languages: String?
        @Option(help: "ember, amber, moss, teal, sky, indigo, plum or slate.")
        var color: WorkspaceColor?
        @Option(help: "How long ids of devices' records are kept: a number of days, or forever.")
        var recordIdDays: RetentionPeriod?
        @Option(help: "How long the audit log is kept: a number of days, or forever.")
        var auditDays: RetentionPeriod?
        @Option(help: "How long custom events are kept: a number of days, or forever.")
        var customEventDays: RetentionPeriod?
        @Option(help: "How long sessions are kept: a number of days, or forever.")
        var sessionDays: RetentionPeriod?
        @Option(help: "How long reports of in-app messages are kept: a number of days, or forever.")
        var inAppReportDays: RetentionPeriod?
        @Option(help: "How long reports of pushes are kept: a number of days, or forever.")
        var pushReportDays: RetentionPeriod?
        @Option(
            help: """
                How long it is kept who got which push: a number of days, at least that of reports of \
                pushes, or forever.
                """
        )
        var dispatchDays: RetentionPeriod?

        func run() async throws {
            let workspace = try await options.openExisting()
            do {
                let changed = try await workspace.workspaces.change(
                    by: workspace.actor
                ) {
                    [
                        name, timeZone, currency, languages, color, recordIdDays, auditDays,
                        customEventDays, sessionDays, inAppReportDays, pushReportDays, dispatchDays,
                    ] settings in
                    settings.name = name ?? settings.name
                    settings.timeZone = timeZone ?? settings.timeZone
                    settings.currency = currency ?? settings.currency
                    settings.languages =
                        languages?.split(separator: ",").map(String.init) ?? settings.languages
                    settings.color = color ?? settings.color
                    if let recordIdDays { settings.retention.recordIDs = recordIdDays.days }
                    if let auditDays { settings.retention.audit = auditDays.days }
                    if let customEventDays {
                        settings.retention.customEvents = customEventDays.days
                    }
                    if let sessionDays { settings.retention.sessions = sessionDays.days }
                    if let inAppReportDays {
                        settings.retention.inAppReports = inAppReportDays.days
                    }
                    if let pushReportDays {
                        settings.retention.pushReports = pushReportDays.days
                    }
                    if let dispatchDays { settings.retention.dispatches = dispatchDays.days }
                }
                print(changed.settings)
            } catch let error as Model.ValidationError {
                throw WorkspaceCommand.error(error)
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the names and time zones of all workspaces."
        )

        @OptionGroup var options: SettingsOptions

        func run() async throws {
            let store = try await options.settings().openExistingStore()
            for workspace in try await store.workspaces() {
                Swift.print("\(workspace.name)  \(workspace.timeZone)")
            }
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a workspace, which shares nothing with the others.",
            discussion: """
                Without --administrator nobody opens it in the console yet: add the first member \
                with `member create --workspace NAME`.
                """
        )

        @OptionGroup var options: SettingsOptions
        @Option(help: "What it is called.")
        var name: String
        @Option(help: "The IANA name of the zone in which its days begin, such as Asia/Tokyo.")
        var timeZone = TimeZone.current.identifier
        @Option(help: "The e-mail address of a member of another workspace who manages it.")
        var administrator: String?

        func run() async throws {
            let store = try await options.settings().openStore()
            let member: Member?
            if let administrator {
                guard let known = try await store.memberships(email: administrator).first else {
                    throw ValidationError(
                        "--administrator: nobody who may sign in has the address \(administrator)"
                    )
                }
                member = known
            } else {
                member = nil
            }
            do {
                let made = try await WorkspaceService(
                    store: store,
                    now: ServerDependencies.live.now
                ).create(
                    name: name,
                    timeZone: timeZone,
                    by: .commandLine(account: NSUserName(), administrator: member)
                )
                Swift.print("made the workspace '\(made.name)'")
            } catch let error as Model.ValidationError {
                throw WorkspaceCommand.error(error)
            }
        }
    }

    private static func error(_ error: Model.ValidationError) -> ValidationError {
        let texts = error.problems.map {
            "--\($0.field.replacing("_", with: "-")): \($0.message)"
        }
        return ValidationError(texts.joined(separator: "; "))
    }

    private static func print(_ settings: WorkspaceSettings) {
        Swift.print("name       \(settings.name)")
        Swift.print("time zone  \(settings.timeZone)")
        Swift.print("currency   \(settings.currency)")
        Swift.print("languages  \(settings.languages.joined(separator: ", "))")
        Swift.print("color      \(settings.color.rawValue)")
        for kind in RetainedKind.allCases {
            let days = settings.retention[kind].map { "\($0) days" } ?? "for ever"
            Swift.print("kept       \(kind.rawValue.replacing("_", with: " ")) \(days)")
        }
    }
}

extension WorkspaceColor: ExpressibleByArgument {}

/// A number of days, or `forever`.
struct RetentionPeriod: ExpressibleByArgument {
    let days: Int?

    init?(argument: String) {
        days = argument == "forever" ? nil : Int(argument)
        if days == nil, argument != "forever" { return nil }
    }
}
