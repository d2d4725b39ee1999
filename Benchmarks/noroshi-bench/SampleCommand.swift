import APNs
import ArgumentParser
import Foundation
import Model
import WebPush

/// Prints samples of the clients' output, for other programs to check.
struct SampleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sample",
        abstract: "Prints a token, an encrypted body or a certificate's summary.",
        shouldDisplay: false,
        subcommands: [
            APNsTokenSample.self, VAPIDTokenSample.self, WebPushSample.self, CertificateSample.self,
        ]
    )
}

private struct APNsTokenSample: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "apns-token")

    @Option var key: String

    func run() throws {
        let source = try APNsTokenSource(
            keyID: "KEY1234567",
            teamID: "TEAM123456",
            privateKeyPEM: String(contentsOfFile: key, encoding: .utf8)
        )
        print(try source.authorization(now: Date()))
    }
}

private struct VAPIDTokenSample: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "vapid-token")

    @Option var key: String

    func run() throws {
        let vapid = try VAPIDKey(privateKey: String(contentsOfFile: key, encoding: .utf8))
        print(
            try vapid.authorization(
                origin: "https://push.example.net",
                subject: "mailto:operator@example.com",
                expires: Date() + 3600
            )
        )
    }
}

private struct WebPushSample: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "webpush")

    @Option var publicKey: String
    @Option var secret: String
    /// Number of bodies to create from the content, one per line.
    @Option var count = 1

    func run() throws {
        let message = WebPushMessage(
            content: Array(FileHandle.standardInput.readDataToEndOfFile()),
            publicKey: publicKey,
            authenticationSecret: secret
        )
        let keys = WebPushSenderKeys()
        for _ in 0..<count { print(Data(try keys.encrypt(message)).base64EncodedString()) }
    }
}

private struct CertificateSample: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "p12")

    private struct Summary: Encodable {
        var bundle_id: String
        var topics: [String]
        var environments: [String]
        var expires: Double
    }

    @Option var file: String
    @Option var password: String?

    func run() throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        let found = try APNsCertificateSummary(p12: Array(bytes), password: password)
        let summary = Summary(
            bundle_id: found.bundleID,
            topics: found.topics,
            environments: found.environments.map(\.rawValue).sorted(),
            expires: found.expires.timeIntervalSince1970
        )
        print(String(decoding: try JSONEncoder().encode(summary), as: UTF8.self))
    }
}
