import NIOSSL

/// Certificate authorities that are trusted besides the system's, such as a company's own.
package struct ContentAuthorities: Sendable {
    let certificates: [NIOSSLCertificate]

    /// None.
    package init() {
        certificates = []
    }

    /// - Parameter pem: One certificate or more, as PEM.
    /// - Throws: If one of them cannot be read, or there is none.
    package init(pem: String) throws {
        certificates = try NIOSSLCertificate.fromPEMBytes(Array(pem.utf8))
        guard !certificates.isEmpty else { throw NIOSSLError.failedToLoadCertificate }
    }
}
