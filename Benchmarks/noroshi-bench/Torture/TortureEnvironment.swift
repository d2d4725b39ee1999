import Campaigns
import Crypto
import Foundation
import Model
import Ports
import StoreSQL

/// The environment of a crash test: database, credentials, simulator and server.
struct TortureEnvironment {
    let folder: URL
    let serverPath: String
    let recipients: Int
    let seed: UInt64

    var database: String { folder.appendingPathComponent("noroshi.sqlite").path }
    var recordPath: String { folder.appendingPathComponent("accepted.tsv").path }
    private var authorityPath: String { folder.appendingPathComponent("authority.pem").path }

    /// Users whose app was removed: pushes to their tokens get the status 410.
    var removed: Set<Int> {
        Set((0..<min(20, max(1, recipients / 100))).map { ($0 * 37 + 5) % recipients })
    }

    /// Users whose message is aborted by its template.
    static func isAborted(_ number: Int) -> Bool { number % 5_000 == 13 }

    static let message: PushMessage = {
        var message = DeliveryAudience.message
        message.body =
            "{% if {{custom_attribute.${points}}} == 13 %}{% abort_message('unlucky') %}{% endif %}"
            + message.body
        return message
    }()

    /// Creates files, credentials and the database, but starts no process.
    func prepare(_ audience: DeliveryAudience) throws {
        try FileManager.default.copyItem(atPath: audience.path, toPath: database)
        let p8 = folder.appendingPathComponent("key.p8").path
        try P256.Signing.PrivateKey().pemRepresentation
            .write(toFile: p8, atomically: true, encoding: .utf8)
        _ = try ExternalTool(path: serverPath).run(
            [
                "credentials", "set", "--bundle-id", DeliveryAudience.bundleID, "--p8", p8,
                "--key-id", "KEY0000001", "--team-id", "TEAM000001", "--database",
                "sqlite:\(database)",
            ],
            processor: nil
        )
    }

    func startSimulator(faults percent: Double) throws -> ProgramProcess {
        let script = folder.appendingPathComponent("faults.json")
        try JSONSerialization.data(withJSONObject: faultScript(percent)).write(to: script)
        return try ProgramProcess(
            serverPath,
            [
                "simulate", "apns", "--accept-anything", "--record", recordPath, "--script",
                script.path, "--authority-file", authorityPath,
            ]
        )
    }

    func startServer(simulator: ProgramProcess) throws -> ProgramProcess {
        try ProgramProcess(
            serverPath,
            [
                "serve", "--database", "sqlite:\(database)", "--listen", "127.0.0.1:0",
                "--apns-server", "127.0.0.1:\(simulator.port)", "--apns-authority", authorityPath,
                "--push-deadline", "3", "--log-level", "error",
            ]
        )
    }

    /// Creates the send of the crash test.
    func makeSend(in store: SQLStore) async throws -> SendID {
        guard let workspace = try await store.workspaces().first else {
            throw BenchError("the file has no workspace")
        }
        let composer = PushComposer(store: store, now: { Date() }) { _, _ in }
        return try await composer.send(
            SendContent(message: Self.message, audience: .everyone),
            by: .commandLine(account: "torture", workspace.id)
        ).id
    }

    /// Each kind of fault has its share of `percent`. A lost connection fails all pushes on it, so
    /// it and `GOAWAY` are rarer than the others.
    private func faultScript(_ percent: Double) -> [String: Any] {
        let all = percent / 100
        let busy: [String: Any] = [
            "probability": all * 0.25, "status": 429, "reason": "TooManyRequests",
            "retry_after": 1,
        ]
        let down: [String: Any] = [
            "probability": all * 0.25, "status": 503, "reason": "ServiceUnavailable",
            "retry_after": 1,
        ]
        let broken: [String: Any] = [
            "probability": all * 0.25, "status": 500, "reason": "InternalServerError",
            "retry_after": 1,
        ]
        let gone: [[String: Any]] = removed.sorted().map {
            ["token": DeliveryAudience.token($0), "status": 410, "reason": "Unregistered"]
        }
        return [
            "seed": seed,
            "faults": gone + [
                busy, down, broken,
                ["probability": all * 0.15, "lose_answer": true],
                ["probability": all * 0.08, "reset": 7],
                ["probability": all * 0.015, "goaway": "Shutdown"],
                ["probability": all * 0.005, "drop": true],
            ],
        ]
    }
}
