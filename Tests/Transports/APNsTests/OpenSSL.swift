import Crypto
import Foundation
import Gateways
import Testing

/// Makes files as people make them.
enum OpenSSL {
    private static let path = ["/usr/bin/openssl", "/usr/local/bin/openssl"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    static var isInstalled: Bool { path != nil }

    /// Packs a certificate and its key.
    static func p12(_ identity: SimulatorIdentity, password: String?) throws -> [UInt8] {
        try run(
            ["pkcs12", "-export", "-passout", "pass:\(password ?? "")"],
            input: identity.certificatePEM + "\n" + identity.privateKeyPEM
        )
    }

    /// Packs a certificate without its key, as an export from the wrong place does.
    static func p12WithoutKey(_ identity: SimulatorIdentity) throws -> [UInt8] {
        try run(
            ["pkcs12", "-export", "-nokeys", "-passout", "pass:"],
            input: identity.certificatePEM
        )
    }

    static func p12WithoutCertificate(_ identity: SimulatorIdentity) throws -> [UInt8] {
        try run(
            ["pkcs12", "-export", "-nocerts", "-passout", "pass:"],
            input: identity.privateKeyPEM
        )
    }

    /// A certificate that is not for pushes, with its key.
    static func strangersP12() throws -> [UInt8] {
        let pem = try run(
            ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=Somebody"],
            input: nil,
            keyBesideOutput: true
        )
        return try run(
            ["pkcs12", "-export", "-passout", "pass:"],
            input: String(decoding: pem, as: UTF8.self)
        )
    }

    /// A private key of the kind that `openssl genpkey` is asked for.
    static func key(_ arguments: [String]) throws -> String {
        String(decoding: try run(["genpkey"] + arguments, input: nil), as: UTF8.self)
    }

    /// Whether openssl finds the ES256 signature of a token (JWT) to be the key's.
    static func verifies(_ token: String, publicKeyPEM: String) throws -> Bool {
        let parts = token.split(separator: ".").map(String.init)
        try #require(parts.count == 3)
        var signature = parts[2].replacingOccurrences(of: "-", with: "+")
            .replacingOccurrences(of: "_", with: "/")
        while signature.utf8.count % 4 != 0 { signature.append("=") }
        let raw = try #require(Data(base64Encoded: signature))
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("openssl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files: [(name: String, content: Data)] = [
            ("key.pem", Data(publicKeyPEM.utf8)), ("text", Data("\(parts[0]).\(parts[1])".utf8)),
            (
                "signature",
                try P256.Signing.ECDSASignature(rawRepresentation: raw).derRepresentation
            ),
        ]
        for (name, content) in files {
            try content.write(to: folder.appendingPathComponent(name))
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(path))
        process.currentDirectoryURL = folder
        process.arguments = [
            "dgst", "-sha256", "-verify", "key.pem", "-signature", "signature", "text",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    private static func run(
        _ arguments: [String],
        input: String?,
        keyBesideOutput: Bool = false
    ) throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("openssl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let output = folder.appendingPathComponent("out")
        var arguments = arguments + ["-out", output.path]
        if keyBesideOutput { arguments += ["-keyout", output.path] }
        if let input {
            let file = folder.appendingPathComponent("in.pem")
            try Data(input.utf8).write(to: file)
            arguments += ["-in", file.path]
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(path))
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return Array(try Data(contentsOf: output))
    }
}
