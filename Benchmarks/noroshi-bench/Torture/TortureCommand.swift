import ArgumentParser

/// The crash tests of the server.
struct TortureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "torture",
        abstract: "Kills the server again and again, and checks what it promised.",
        subcommands: [DeliveryTorture.self, JourneysTorture.self]
    )
}
