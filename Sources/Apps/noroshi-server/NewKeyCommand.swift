import ArgumentParser
import Credentials
import Server
import StoreSQL

/// Goes on with another key when the one that encrypts the secrets in a database is lost.
struct NewKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new-key",
        abstract: "Makes the key in the secret key file that of the database.",
        discussion: """
            Servers and commands refuse any other key from then on. What the former one encrypted cannot be \
            opened any more: push credentials, passwords of Connected Content, secrets of webhooks and \
            of sign-in providers have to be entered again, and members set up their second factors anew.
            """
    )

    @OptionGroup var options: SettingsOptions
    @Flag(name: .customLong("former-is-lost"), help: "Says that nobody has the former key.")
    var isLost = false

    func run() async throws {
        guard isLost else {
            throw ValidationError(
                "what the former key encrypted will be lost; if nobody has it, add --former-is-lost"
            )
        }
        let settings = try await options.settings()
        let store = try settings.openExistingStore()
        let key = try SecretKey.load(settings, random: ServerDependencies.live.random)
        let isNew = try await KeyOfSecrets(store: store, key: key).adopt()
        print(
            isNew
                ? "The secrets of \(settings.database.name) are encrypted with \(settings.secretKeyPath) from now on."
                : "\(settings.secretKeyPath) is the key of \(settings.database.name) already."
        )
    }
}
