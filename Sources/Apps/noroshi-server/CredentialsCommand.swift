import Accounts
import ArgumentParser
import Credentials
import Foundation
import Model
import Server

struct CredentialsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credentials",
        abstract: "What push providers want to see of an app; stored encrypted.",
        subcommands: [
            APNs.self, FCM.self, VAPID.self, List.self, BasicAuthCommand.self, NewKeyCommand.self,
        ]
    )

    /// The app of the credentials, and the database that stores them.
    struct Target: ParsableArguments {
        @OptionGroup var options: WorkspaceOptions
        @Option(
            name: [.customLong("app"), .customLong("bundle-id")],
            help: "The app's identifier: bundle id, package name or web address."
        )
        var identifier: String

        /// Stores credentials of the app and prints the stored ones.
        func save(
            _ upload: CredentialUpload
        ) async throws -> (credentials: CredentialService, app: App) {
            let workspace = try await options.open()
            let credentials = try await workspace.credentials()
            let apps = try await workspace.apps.apps(in: workspace.id)
            guard let app = apps.first(where: { $0.bundleID == identifier }) else {
                throw ValidationError(
                    "there is no app '\(identifier)'; there are: "
                        + apps.map { "'\($0.bundleID)'" }.joined(separator: ", ")
                )
            }
            do {
                tell(try await credentials.save(upload, of: app, by: workspace.actor), of: app)
            } catch let error as Model.ValidationError {
                throw ValidationError(error.problems[0].message)
            }
            return (credentials, app)
        }
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ValidationError("the file \(path) cannot be read")
        }
        return Array(data)
    }

    private static func tell(_ facts: CredentialSummary, of app: App) {
        print("\(app.name) (\(app.bundleID)): \(facts.kind.rawValue)")
        for line in facts.lines { print("  \(line)") }
        if let expires = facts.expires { print("  until \(expires.formatted(.iso8601))") }
        if let warning = facts.warning { print("  \(warning)") }
    }

    struct APNs: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "apns",
            abstract: "Stores an app's APNs signing key (.p8) or certificate (.p12).",
            aliases: ["set"]
        )

        @OptionGroup var target: Target
        @Option(help: "The signing key from Apple, a .p8 file.")
        var p8: String?
        @Option(name: .customLong("key-id"), help: "With --p8: the key's ten characters.")
        var keyID: String?
        @Option(name: .customLong("team-id"), help: "With --p8: the team's ten characters.")
        var teamID: String?
        @Option(help: "The push certificate with its private key, a .p12 file.")
        var p12: String?
        @Option(
            name: .customLong("password-file"),
            help: """
                With --p12: a file with its password, where it has one; - is standard input. \
                Otherwise the environment's NOROSHI_P12_PASSWORD is taken. A password on the command \
                line could be read by everybody on this machine.
                """
        )
        var passwordFile: String?

        func run() async throws {
            let upload: CredentialUpload
            switch (p8, p12) {
            case (let path?, nil):
                guard let keyID, let teamID else {
                    throw ValidationError("--p8 needs --key-id and --team-id")
                }
                upload = .apnsKey(p8: try bytes(path), keyID: keyID, teamID: teamID)
            case (nil, let path?):
                upload = .apnsCertificate(p12: try bytes(path), password: try password())
            default:
                throw ValidationError("give either --p8 or --p12")
            }
            _ = try await target.save(upload)
        }

        private func password() throws -> String? {
            switch passwordFile {
            case "-"?:
                guard let line = readLine() else {
                    throw ValidationError("give the password on standard input")
                }
                return line
            case let path?:
                let text = String(decoding: try bytes(path), as: UTF8.self)
                return text.hasSuffix("\n") ? String(text.dropLast()) : text
            case nil:
                return ProcessInfo.processInfo.environment["NOROSHI_P12_PASSWORD"]
            }
        }
    }

    struct FCM: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "fcm",
            abstract: "Stores the service account of an Android app's Firebase project."
        )

        @OptionGroup var target: Target
        @Option(help: "The JSON file that the Firebase console gives out.")
        var json: String

        func run() async throws {
            _ = try await target.save(.fcmAccount(json: try bytes(json)))
        }
    }

    struct VAPID: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "vapid",
            abstract: "Makes or imports a web app's VAPID key; the public key is on the last line.",
            discussion: """
                Browsers subscribe with this key for good: with another one every browser has to \
                subscribe again. Keep the database and its secret key file with your backups.
                """
        )

        @OptionGroup var target: Target
        @Option(help: "Whom push services write to: mailto:… or https:….")
        var contact: String
        @Option(help: "Where a tap leads when a message names no address.")
        var site: String
        @Option(
            name: .customLong("private-key"),
            help: """
                A file with a key to import: 32 bytes in base64url, or PEM. Without it the stored \
                key stays, or a new one is made.
                """
        )
        var privateKey: String?

        func run() async throws {
            let key = try privateKey.map { String(decoding: try bytes($0), as: UTF8.self) }
            let (credentials, app) = try await target.save(
                .vapidKey(privateKey: key, contact: contact, site: site)
            )
            print(try await credentials.applicationServerKey(of: app) ?? "")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists what is stored, without the secrets."
        )

        @OptionGroup var options: WorkspaceOptions

        func run() async throws {
            let workspace = try await options.open()
            for app in try await workspace.apps.apps(in: workspace.id) {
                let facts = try await workspace.credentials().facts(of: app)
                if facts.isEmpty { print("\(app.name) (\(app.bundleID)): nothing") }
                for fact in facts { tell(fact, of: app) }
            }
        }
    }
}
