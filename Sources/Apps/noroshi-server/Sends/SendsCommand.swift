import ArgumentParser
import Campaigns
import Foundation
import Model
import Sends
import Server
import StoreSQL

/// Sends on the command line, read from the database beside a running server.
struct SendsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sends",
        abstract: "Sends: list, watch, pause, resume, stop, and why a user got one or not.",
        subcommands: [
            List.self, WatchSendCommand.self, Pause.self, Resume.self, Stop.self,
            ExplainSendCommand.self, Verify.self, Limit.self,
        ]
    )

    /// The options of a command about one send.
    struct SendOptions: ParsableArguments {
        @OptionGroup var options: SettingsOptions
        @Argument(help: "The number of the send.") var number: Int64

        func open() async throws -> (SQLStore, Send) {
            let store = try await options.settings().openExistingStore()
            return (store, try await SendsCommand.send(number, in: store))
        }
    }

    static func send(_ number: Int64, in store: SQLStore) async throws -> Send {
        guard let send = try await store.send(SendID(number)) else {
            throw ValidationError("there is no send \(number); 'sends list' shows them")
        }
        return send
    }
}

extension SendsCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "The latest sends.")

        @OptionGroup var options: WorkspaceOptions
        @Option(help: "How many.")
        var limit = 20

        func run() async throws {
            let opened = try await options.openExisting()
            let store = opened.store
            let sends = try await store.sends(in: opened.id, limit: limit, offset: 0)
            let counts = try await store.counts(of: sends.map(\.id))
            print("  NO  STATE              DONE      TOTAL   REFUSED    OPENED  TITLE")
            for send in sends {
                let count = counts[send.id] ?? SendCounts()
                let done = count.total - count[.queued] - count[.sending]
                let refused = count[.rejected] + count[.unknown]
                let headline = send.content.message.headline
                print(
                    "\(send.id)".leftPadded(4),
                    " \(SendPhase(send.state, count).rawValue)".rightPadded(14),
                    "\(done)".leftPadded(10),
                    "\(count.total)".leftPadded(10),
                    "\(refused)".leftPadded(9),
                    "\(count.allOpens)".leftPadded(9),
                    " " + headline.prefix(40)
                )
            }
            for lane in try await store.trippedLanes() { print(lane.sentence) }
        }
    }

    struct Pause: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Halts a send; what is on its way still arrives."
        )

        @OptionGroup var options: SendOptions

        func run() async throws {
            let (store, send) = try await options.open()
            guard try await send.take(.pause, in: store) else {
                throw ValidationError("send \(send.id) is \(send.state.rawValue), not running")
            }
            print("Send \(send.id) is paused. './noroshi sends resume \(send.id)' lets it go on.")
        }
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lets a paused send go on.")

        @OptionGroup var options: SendOptions

        func run() async throws {
            let (store, send) = try await options.open()
            guard try await send.take(.resume, in: store) else {
                throw ValidationError("send \(send.id) is \(send.state.rawValue), not paused")
            }
            print("Send \(send.id) goes on.")
        }
    }

    struct Stop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Ends a send for good; what waits is not sent."
        )

        @OptionGroup var options: SendOptions

        func run() async throws {
            let (store, send) = try await options.open()
            guard try await send.take(.stop, in: store) else {
                throw ValidationError("send \(send.id) is \(send.state.rawValue) already")
            }
            let counts = try await store.counts(of: [send.id])[send.id] ?? SendCounts()
            print(
                "Send \(send.id) is stopped: \(counts[.accepted]) sent, "
                    + "\(counts[.skipped]) not sent, \(counts[.sending]) on their way."
            )
        }
    }

    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Counts rows anew and compares the figures that are kept; 1 if they differ."
        )

        @OptionGroup var options: SendOptions
        @Flag(help: "Puts figures right that differ.") var repair = false

        func run() async throws {
            let (store, send) = try await options.open()
            let control = SendControl(store: store, now: ServerDependencies.live.now)
            let differences = try await control.differences(of: send)
            for difference in differences {
                print(
                    "\(difference.name): kept \(difference.kept), counted \(difference.counted)"
                )
            }
            if differences.isEmpty {
                print("The figures of send \(send.id) are what its rows say.")
            } else if repair {
                try await control.recount(
                    send,
                    by: .commandLine(account: NSUserName(), send.workspace)
                )
                print("They have been counted anew.")
            } else {
                throw ExitCode(1)
            }
        }
    }

    struct Limit: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows or sets the most pushes of a workspace in a minute."
        )

        @OptionGroup var options: WorkspaceOptions
        @Argument(help: "Pushes in a minute, or 'none'; left out, the limit is shown.")
        var limit: String?

        func run() async throws {
            let opened = try await options.openExisting()
            let control = SendControl(store: opened.store, now: ServerDependencies.live.now)
            if let limit {
                let number = Int(limit)
                guard limit == "none" || number != nil else {
                    throw ValidationError("give a number of pushes, or 'none'")
                }
                do {
                    try await control.limit(to: number, by: opened.actor)
                } catch let error as Model.ValidationError {
                    throw ValidationError(
                        error.problems.map { "the \($0.field) \($0.message)" }
                            .joined(separator: "; ")
                    )
                }
            }
            let set = try await control.limit(of: opened.id)
            print("'\(opened.name)': \(set.map { "\($0) pushes a minute" } ?? "no limit")")
        }
    }
}

extension Send {
    /// Performs an action as the account of the operating system.
    ///
    /// - Returns: `false` if the send's state does not allow it.
    fileprivate func take(_ step: SendStep, in store: SQLStore) async throws -> Bool {
        try await SendControl(store: store, now: ServerDependencies.live.now)
            .take(step, with: self, by: .commandLine(account: NSUserName(), workspace))
    }
}

extension TrippedLane {
    /// Readable text.
    var sentence: String {
        let formatter = ISO8601DateFormatter()
        return "\(lane) is not used since \(formatter.string(from: since)): \(reason); "
            + "tried again at \(formatter.string(from: until))"
    }
}

extension String {
    func leftPadded(_ width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }

    func rightPadded(_ width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
