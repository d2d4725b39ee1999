import NIOSSL
import SwiftASN1
import X509

/// The names of a server in its certificate (RFC 9525).
///
/// SwiftNIO accepts a certificate for the address of the connection also where a name was asked for.
/// Whoever answers name queries falsely would then need no more than a certificate for a machine of
/// their own, by its address; so names are compared here as well.
package enum ServerNames {
    /// Whether a certificate is for a server of this name.
    ///
    /// - Throws: If the certificate cannot be read.
    package static func include(_ name: String, in certificate: NIOSSLCertificate) throws -> Bool {
        let extensions = try Certificate(derEncoded: certificate.toDERBytes()).extensions
        return try extensions.subjectAlternativeNames?.contains { other in
            guard case .dnsName(let pattern) = other else { return false }
            return matches(name, pattern)
        } ?? false
    }

    /// A `*` as the first label stands for any one label.
    private static func matches(_ name: String, _ pattern: String) -> Bool {
        let name = labels(name)
        let pattern = labels(pattern)
        guard pattern.first == "*", pattern.count > 1 else { return name == pattern }
        return name.count == pattern.count && name.dropFirst() == pattern.dropFirst()
    }

    private static func labels(_ name: String) -> [Substring] {
        let name = name.lowercased()
        let whole = name.hasSuffix(".") ? name.dropLast() : name[...]
        return whole.split(separator: ".", omittingEmptySubsequences: false)
    }
}
