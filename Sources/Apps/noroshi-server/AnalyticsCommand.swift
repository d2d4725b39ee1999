import Analytics
import ArgumentParser
import Model
import Server
import StoreSQL

struct AnalyticsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "analytics",
        abstract: "Figures over time.",
        subcommands: [Rebuild.self]
    )

    struct Rebuild: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes the daily counts and the opens again from the rows.",
            discussion: """
                Daily counts, influenced opens and the sums of sends are caches of the rows; this \
                changes no figure, unless a cache was wrong or made by an earlier version. The \
                server may be running.
                """
        )

        @OptionGroup var options: SettingsOptions

        func run() async throws {
            let store = try await options.settings().openExistingStore()
            let series = SeriesService(store: store)
            for workspace in try await store.workspaces() {
                try await series.rebuild(workspace.id)
                print("The figures of '\(workspace.name)' are made again from the rows.")
            }
        }
    }
}
