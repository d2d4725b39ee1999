import APNs
import Foundation
import Gateways

/// The files that nghttpd and h2load need: certificate, key, one empty page and the body.
struct NghttpdServer {
    let port = Int.random(in: 20_000..<60_000)
    let authorityPath: String
    private let folder: URL

    init(folder: URL) throws {
        self.folder = folder
        let authority = try SimulatorAuthority(now: Date())
        let identity = try authority.makeServerIdentity(hosts: ["localhost", "127.0.0.1"])
        let page = folder.appendingPathComponent("pages/3/device")
        try FileManager.default.createDirectory(at: page, withIntermediateDirectories: true)
        authorityPath = folder.appendingPathComponent("authority.pem").path
        let files: [(String, [UInt8])] = [
            ("authority.pem", Array(authority.certificatePEM.utf8)),
            ("certificate.pem", Array(identity.certificatePEM.utf8)),
            ("key.pem", Array(identity.privateKeyPEM.utf8)),
            ("body.json", APNsPayload.encode(APNsWorkload.push(0))),
            ("pages/3/device/\(APNsWorkload.token)", []),
        ]
        for (name, bytes) in files {
            try Data(bytes).write(to: folder.appendingPathComponent(name))
        }
    }

    /// One thread, and no limit on the client's streams.
    var serverArguments: [String] { options + identity }

    var options: [String] {
        ["-n", "1", "-m", "2000", "-a", "127.0.0.1", "-d", path("pages"), String(port)]
    }

    /// The files of the private key and the certificate.
    var identity: [String] { [path("key.pem"), path("certificate.pem")] }

    func h2loadArguments(count: Int, inFlight: Int) throws -> [String] {
        [
            "-n", String(count), "-c", "1", "-t", "1", "-m", String(inFlight), "-d",
            path("body.json"),
        ]
            + (try APNsWorkload.h2loadHeaders())
            + ["https://127.0.0.1:\(port)/3/device/\(APNsWorkload.token)"]
    }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
}
