import Foundation
import NIOHTTP2
import NIOSSL
import Synchronization

/// Why the files cannot be used.
package struct ServerCertificateError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum File: Sendable {
        case certificate, key
    }

    package var file: File
    package enum Fault: Sendable, Hashable, CustomStringConvertible {
        case unreadable(String)
        case noCertificate
        case ended(Date)
        case notBegun(Date)
        case noKey
        case otherCertificate(String)

        package var description: String {
            switch self {
            case .unreadable(let reason): "cannot be read: \(reason)"
            case .noCertificate: "holds no certificate in PEM (-----BEGIN CERTIFICATE-----)"
            case .ended(let time):
                "holds a certificate that ended at \(time.formatted(.iso8601)); get another one"
            case .notBegun(let time):
                "holds a certificate that begins at \(time.formatted(.iso8601)); "
                    + "is the clock right?"
            case .noKey: "holds no private key in PEM without a passphrase"
            case .otherCertificate(let path):
                "does not belong to the first certificate of \(path)"
            }
        }
    }

    package var path: String
    package var fault: Fault

    package var description: String { "'\(path)' \(fault)" }
}

/// The certificate of the server and its key, from two files that may change while it runs.
package final class ServerCertificate: Sendable {
    private struct State {
        var context: NIOSSLContext
        var expiry: Date
        /// What was read last, whether or not it can be used.
        var bytes: [Data]
    }

    private let certificatePath: String
    private let keyPath: String
    private let state: Mutex<State>

    /// Reads both files: the certificate first, the authorities after it.
    ///
    /// - Throws: ``ServerCertificateError``.
    package init(certificatePath: String, keyPath: String, now: Date) throws {
        self.certificatePath = certificatePath
        self.keyPath = keyPath
        let bytes = [
            try Self.read(.certificate, certificatePath), try Self.read(.key, keyPath),
        ]
        let (context, expiry) = try Self.context(bytes, certificatePath, keyPath, now: now)
        state = Mutex(State(context: context, expiry: expiry, bytes: bytes))
    }

    /// The certificate for new connections.
    var context: NIOSSLContext { state.withLock(\.context) }

    /// When the certificate ends.
    package var expiry: Date { state.withLock(\.expiry) }

    /// Uses the files for new connections, if they have changed; open connections go on.
    ///
    /// - Returns: Whether another certificate or key is in use.
    /// - Throws: ``ServerCertificateError``; the former certificate stays in use. It is thrown once for each
    ///   content of the files.
    package func reload(now: Date) throws -> Bool {
        let bytes = [
            try Self.read(.certificate, certificatePath), try Self.read(.key, keyPath),
        ]
        let isNew = state.withLock { state in
            defer { state.bytes = bytes }
            return state.bytes != bytes
        }
        guard isNew else { return false }
        let (context, expiry) = try Self.context(bytes, certificatePath, keyPath, now: now)
        state.withLock { state in
            state.context = context
            state.expiry = expiry
        }
        return true
    }

    private static func read(_ file: ServerCertificateError.File, _ path: String) throws -> Data {
        do {
            return try Data(contentsOf: URL(filePath: path))
        } catch {
            throw ServerCertificateError(file: file, path: path, fault: .unreadable("\(error)"))
        }
    }

    private static func context(
        _ bytes: [Data],
        _ certificatePath: String,
        _ keyPath: String,
        now: Date
    ) throws -> (NIOSSLContext, Date) {
        func problem(_ file: ServerCertificateError.File, _ fault: ServerCertificateError.Fault)
            -> ServerCertificateError
        {
            ServerCertificateError(
                file: file,
                path: file == .key ? keyPath : certificatePath,
                fault: fault
            )
        }
        let certificates = (try? NIOSSLCertificate.fromPEMBytes([UInt8](bytes[0]))) ?? []
        guard let leaf = certificates.first else {
            throw problem(.certificate, .noCertificate)
        }
        let expiry = Date(timeIntervalSince1970: TimeInterval(leaf.notValidAfter))
        let beginning = Date(timeIntervalSince1970: TimeInterval(leaf.notValidBefore))
        guard expiry > now else {
            throw problem(.certificate, .ended(expiry))
        }
        guard beginning <= now else {
            throw problem(.certificate, .notBegun(beginning))
        }
        guard let key = try? NIOSSLPrivateKey(bytes: [UInt8](bytes[1]), format: .pem) else {
            throw problem(.key, .noKey)
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = NIOHTTP2SupportedALPNProtocols
        do {
            return (try NIOSSLContext(configuration: configuration), expiry)
        } catch {
            throw problem(.key, .otherCertificate(certificatePath))
        }
    }
}
