import CPKCS12
import NIOSSL

/// A client certificate with its private key.
package struct PushClientIdentity: Sendable {
    let certificates: [NIOSSLCertificate]
    let privateKey: NIOSSLPrivateKey

    /// The leaf certificate in DER.
    package let certificateDER: [UInt8]

    /// Opens a PKCS#12 file.
    ///
    /// - Parameter password: `nil` for a file without one.
    package init(p12 bytes: [UInt8], password: String?) throws(PushIdentityError) {
        guard bytes.first == 0x30 else { throw .notPKCS12 }
        let bundle: NIOSSLPKCS12Bundle
        do {
            bundle = try Self.open(bytes, password: password)
        } catch {
            throw Self.explain(error, hasPassword: password?.isEmpty == false)
        }
        guard let leaf = bundle.certificateChain.first, let der = try? leaf.toDERBytes() else {
            throw .noCertificate
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

    /// Rejects a file that opens but lacks a part, which NIOSSL treats as a programming error.
    private static func checkContent(_ content: pkcs12_content) throws(PushIdentityError) {
        if content == PKCS12_NO_KEY { throw .noPrivateKey }
        if content == PKCS12_NO_CERTIFICATE { throw .noCertificate }
    }

    private static func explain(_ error: any Error, hasPassword: Bool) -> PushIdentityError {
        if let error = error as? PushIdentityError { return error }
        let text = String(describing: error)
        if text.contains("INCORRECT_PASSWORD") {
            return hasPassword ? .wrongPassword : .passwordNeeded
        }
        if text.contains("UNKNOWN_CIPHER") || text.contains("UNKNOWN_DIGEST")
            || text.contains("UNKNOWN_ALGORITHM") || text.contains("UNSUPPORTED")
        {
            return .unknownEncryption
        }
        return .unreadable(text)
    }
}

/// The reason why a PKCS#12 file cannot be used.
package enum PushIdentityError: Error, Hashable, CustomStringConvertible {
    case notPKCS12
    case passwordNeeded
    case wrongPassword
    case unknownEncryption
    case noPrivateKey
    case noCertificate
    case unreadable(String)

    package var description: String {
        switch self {
        case .notPKCS12:
            """
            The file is not a PKCS#12 (.p12) file. Export the certificate together with its \
            private key from Keychain Access, or make one with `openssl pkcs12 -export`.
            """
        case .passwordNeeded:
            "The .p12 file is protected by a password. Enter the password it was exported with."
        case .wrongPassword:
            "The password does not open the .p12 file. Enter the one it was exported with."
        case .unknownEncryption:
            """
            The .p12 file is encrypted in a way that is not supported. Convert it with \
            `openssl pkcs12 -legacy -in old.p12 -nodes -out all.pem` and \
            `openssl pkcs12 -export -in all.pem -out new.p12`.
            """
        case .noCertificate:
            """
            The .p12 file holds no certificate that belongs to its private key. Export the \
            certificate and its private key together from Keychain Access.
            """
        case .noPrivateKey:
            """
            The .p12 file holds no private key. In Keychain Access choose the certificate with the \
            key below it, on the Mac that made the request, and export both.
            """
        case .unreadable(let detail):
            "The .p12 file cannot be read (\(detail)). Export it again."
        }
    }
}
