import CPKCS12
import Model
import NIOSSL
import Reasons

/// A client certificate with its private key.
package struct PushClientIdentity: Sendable {
    let certificates: [NIOSSLCertificate]
    let privateKey: NIOSSLPrivateKey

    /// The leaf certificate in DER.
    package let certificateDER: [UInt8]

    /// Opens a PKCS#12 file.
    ///
    /// - Parameter password: nil for a file without one.
    package init(p12 bytes: [UInt8], password: String?) throws(CredentialError) {
        guard bytes.first == 0x30 else { throw CredentialError(.fileKind) }
        let bundle: NIOSSLPKCS12Bundle
        do {
            bundle = try Self.open(bytes, password: password)
        } catch {
            throw Self.explain(error, hasPassword: password?.isEmpty == false)
        }
        guard let leaf = bundle.certificateChain.first, let der = try? leaf.toDERBytes() else {
            throw CredentialError(.fileCertificate)
        }
        certificates = bundle.certificateChain
        privateKey = bundle.privateKey
        certificateDER = der
    }

    private static func open(_ bytes: [UInt8], password: String?) throws -> NIOSSLPKCS12Bundle {
        if let password, !password.isEmpty {
            try checkContent(pkcs12_content_of(bytes, bytes.count, password))
            return try NIOSSLPKCS12Bundle(buffer: bytes, passphrase: Array(password.utf8))
        }
        // For a file "without a password" some tools use an empty one, others none; the two differ
        // in PKCS#12.
        let content = pkcs12_content_of(bytes, bytes.count, nil)
        try checkContent(content)
        if content == PKCS12_PAIR { return try NIOSSLPKCS12Bundle(buffer: bytes) }
        try checkContent(pkcs12_content_of(bytes, bytes.count, ""))
        return try NIOSSLPKCS12Bundle(buffer: bytes, passphrase: [UInt8]())
    }

    /// Refuses a file that opens and lacks a part, which NIOSSL takes for a programmer's mistake.
    private static func checkContent(_ content: pkcs12_content) throws(CredentialError) {
        if content == PKCS12_NO_KEY { throw CredentialError(.fileKey) }
        if content == PKCS12_NO_CERTIFICATE { throw CredentialError(.fileCertificate) }
    }

    private static func explain(_ error: any Error, hasPassword: Bool) -> CredentialError {
        if let error = error as? CredentialError { return error }
        let text = String(describing: error)
        if text.contains("INCORRECT_PASSWORD") {
            return CredentialError(hasPassword ? .wrongPassword : .filePassword)
        }
        if text.contains("UNKNOWN_CIPHER") || text.contains("UNKNOWN_DIGEST")
            || text.contains("UNKNOWN_ALGORITHM") || text.contains("UNSUPPORTED")
        {
            return CredentialError(.fileEncryption)
        }
        return CredentialError(.fileUnreadable, ["reason": .text(text)])
    }
}
