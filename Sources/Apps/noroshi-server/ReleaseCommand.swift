import ArgumentParser
import Foundation
import Model
import Sends
import Server
import StoreSQL

struct ReleaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "Lets a server that was restored from a backup send; it may be running.",
        discussion: """
            skip: pushes that had begun before the restore are stopped, and launches of campaigns \
            that were due before it are passed over, because the former server has sent them. \
            send: they go out now, because nothing was sent since the backup. \
            Without --missed it only says what is held.
            """
    )

    @OptionGroup var options: SettingsOptions
    @Option(help: "What becomes of what was due before the restore: skip or send.")
    var missed: SendingHoldService.Missed?

    func run() async throws {
        let store = try await options.settings().openExistingStore()
        let now = ServerDependencies.live.now
        let holds = SendingHoldService(
            store: store,
            control: SendControl(store: store, now: now),
            now: now
        )
        guard let missed else {
            guard let hold = try await holds.current() else {
                print("Nothing is held.")
                return
            }
            print("Nothing is sent since \(hold.since.formatted(.iso8601)). Due before:")
            for send in try await holds.missed(by: hold) {
                print("  push \(send.id), \(send.scheduledAt.formatted(.iso8601))")
            }
            return
        }
        let account = NSUserName()
        let release = try await holds.release(missed) {
            .commandLine(account: account, $0)
        }
        guard let release else {
            print("Nothing is held.")
            return
        }
        for send in release.stopped { print("Push \(send) is stopped.") }
        print("The server sends again.")
    }
}

extension SendingHoldService.Missed: ExpressibleByArgument {}
