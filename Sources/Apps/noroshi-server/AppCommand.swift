import Accounts
import ArgumentParser
import Foundation
import Model
import Server

struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Apps whose SDK talks to the server.",
        subcommands: [Create.self, Authentication.self]
    )

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Registers an app; the key for its SDK is alone on the last line."
        )

        @OptionGroup var options: WorkspaceOptions
        @Option(help: "What the app is called.")
        var name: String
        @Option(help: "ios, macos, android or web.")
        var platform = "ios"
        @Option(
            name: .customLong("bundle-id"),
            help: "Apple: the bundle identifier. Firebase: the project."
        )
        var bundleID: String

        func run() async throws {
            let workspace = try await options.open()
            let app = try await workspace.apps.create(
                name: name,
                platform: platform,
                identifier: bundleID,
                by: workspace.actor
            )
            print("The app '\(name)' of '\(workspace.name)'. Its SDK key:")
            print(app.sdkKey)
        }
    }

    struct Authentication: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says whether the app's users prove who they are with a signed token (JWT)."
        )

        @OptionGroup var options: WorkspaceOptions
        @Option(name: .customLong("bundle-id"), help: "The app.")
        var bundleID: String
        @Option(help: "disabled, optional (verified and logged) or required.")
        var mode: String
        @Option(
            name: .customLong("public-key"),
            help: "A file with an RSA public key in PEM; may be given three times."
        )
        var publicKeys: [String] = []

        func run() async throws {
            guard let mode = SDKAuthenticationPolicy.Mode(rawValue: mode) else {
                throw ValidationError("--mode is disabled, optional or required")
            }
            guard mode == .disabled || !publicKeys.isEmpty else {
                throw ValidationError("--mode \(mode.rawValue) needs a --public-key")
            }
            let keys = try publicKeys.map { path in
                let text = try String(contentsOfFile: path, encoding: .utf8)
                guard SDKTokenVerifier.isPublicKey(text) else {
                    throw ValidationError(
                        "\(path) is no RSA public key in PEM; make one with: "
                            + "openssl rsa -in private.pem -pubout"
                    )
                }
                return (publicKey: text, description: URL(filePath: path).lastPathComponent)
            }
            let workspace = try await options.open()
            let apps = try await workspace.apps.apps(in: workspace.id).filter {
                $0.bundleID == bundleID
            }
            guard !apps.isEmpty else {
                throw ValidationError("'\(workspace.name)' has no app '\(bundleID)'")
            }
            for app in apps {
                do {
                    try await workspace.sdkKeys.set(
                        mode,
                        keys: keys,
                        ofApp: app.sdkKey,
                        by: workspace.actor
                    )
                } catch let error as Model.ValidationError {
                    throw ValidationError(error.problems.map(\.message).joined(separator: "; "))
                }
                print("Signed tokens of '\(app.name)': \(mode.rawValue).")
                try await tellOfDevices(of: app, workspace.apps)
            }
        }

        /// Explains the effect of the mode on existing devices.
        private func tellOfDevices(of app: App, _ apps: AppService) async throws {
            let devices = try await apps.namedDevices(of: app)
            switch SDKAuthenticationPolicy.Mode(rawValue: mode) {
            case .required where devices.unproved > 0:
                print(
                    "\(devices.unproved) of \(devices.all) devices of named users have not proved "
                        + "whose they are; until they bring a signed token they get no pushes and "
                        + "no messages meant for a user. --mode optional lets them prove it first."
                )
            case .optional where devices.all > 0:
                print(
                    "\(devices.all - devices.unproved) of \(devices.all) devices of named users "
                        + "have proved whose they are."
                )
            case .disabled:
                print(
                    "Anybody who has the SDK key can now say of a device that it is any user's, "
                        + "and gets that user's pushes and messages on it."
                )
            default: break
            }
        }
    }
}
