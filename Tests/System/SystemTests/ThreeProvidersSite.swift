import Crypto
import Foundation
import Gateways
import ServerTesting

/// A database with an app for each platform, its credentials and a key, made by the commands.
struct ThreeProvidersSite: Sendable {
    let bundleID = "dev.noroshi.test"
    let project = "noroshi-test"
    let appleKey: String
    let androidKey: String
    let webKey: String
    let apiKey: String
    /// The key that browsers subscribe with.
    let vapidKey: String
    let serveArguments: [String]
    private let database: TestDatabase

    init(
        folder: URL,
        _ apns: APNsSimulator,
        _ fcm: FCMSimulator,
        _ webPush: WebPushSimulator
    ) async throws {
        database = try TestDatabase(at: folder.appending(path: "noroshi.sqlite").path)
        let options = database.options
        func make(_ name: String, _ platform: String, _ identifier: String) throws -> String {
            try ServerProcess.run(
                [
                    "app", "create", "--name", name, "--platform", platform, "--bundle-id",
                    identifier,
                ] + options
            )
        }
        appleKey = try make("Apple", "ios", bundleID)
        androidKey = try make("Android", "android", "dev.noroshi.test.android")
        webKey = try make("Web", "web", "https://shop.example")
        apiKey = try ServerProcess.run(
            ["apikey", "create", "--name", "test", "--permissions", "messages.send"] + options
        )

        let key = P256.Signing.PrivateKey()
        let p8 = folder.appending(path: "key.p8")
        try key.pemRepresentation.write(to: p8, atomically: true, encoding: .utf8)
        _ = try ServerProcess.run(
            [
                "credentials", "apns", "--app", bundleID, "--p8", p8.path, "--key-id",
                "KEY0000001", "--team-id", "TEAM000001",
            ] + options
        )
        apns.register(
            try APNsSigningKey(
                teamID: "TEAM000001",
                keyID: "KEY0000001",
                publicKeyPEM: key.publicKey.pemRepresentation
            )
        )
        let account = folder.appending(path: "account.json")
        try Data(fcm.makeServiceAccount(project: project)).write(to: account)
        _ = try ServerProcess.run(
            [
                "credentials", "fcm", "--app", "dev.noroshi.test.android", "--json", account.path,
            ] + options
        )
        vapidKey = try ServerProcess.run(
            [
                "credentials", "vapid", "--app", "https://shop.example", "--contact",
                "mailto:operator@example.com", "--site", "https://shop.example/",
            ] + options
        )

        var arguments = ["--listen", "127.0.0.1:0", "--log-level", "error"] + options
        for (name, host, port, authority) in [
            ("apns", apns.host, apns.port, apns.authorityPEM),
            ("fcm", fcm.host, fcm.port, fcm.authorityPEM),
            ("webpush", webPush.host, webPush.port, webPush.authorityPEM),
        ] {
            let file = folder.appending(path: "\(name).pem")
            try authority.write(to: file, atomically: true, encoding: .utf8)
            arguments += [
                "--\(name)-server", "\(host):\(port)", "--\(name)-authority", file.path,
            ]
        }
        serveArguments = arguments
    }

    /// The ledger's rows that fit a condition.
    func count(_ condition: String) async throws -> Int {
        try await Ledger(database).number("SELECT count(*) FROM dispatches WHERE \(condition)")
    }
}
