import Crypto
import Foundation
import NIOSSL
import SwiftASN1
import X509

/// The certificate authority of a simulator, created at its start. Only clients of the simulator
/// need to trust it.
package struct SimulatorAuthority: Sendable {
    private let key: P256.Signing.PrivateKey
    private let certificate: Certificate
    private let madeAt: Date

    /// The authority's certificate, for the trust store of a client.
    package let certificatePEM: String

    package init(now: Date) throws {
        madeAt = now
        key = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName("Noroshi simulator authority") }
        certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: now - 86_400,
            notValidAfter: now + 3650 * 86_400,
            issuer: name,
            subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
            },
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
        certificatePEM = try certificate.serializeAsPEM().pemString
    }

    /// Creates the certificate of a server with these names and addresses.
    package func makeServerIdentity(hosts: [String]) throws -> SimulatorIdentity {
        let names: [GeneralName] = hosts.map { host in
            if let address = Self.addressBytes(host) {
                .ipAddress(ASN1OctetString(contentBytes: address[...]))
            } else {
                .dnsName(host)
            }
        }
        return try issue(
            subject: DistinguishedName { CommonName(hosts.first ?? "localhost") },
            lifetime: 825 * 86_400,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                SubjectAlternativeNames(names)
                try ExtendedKeyUsage([.serverAuth])
            }
        )
    }

    /// Creates a push certificate like Apple's for an app: bundle identifier in the subject, the
    /// environments and topics as extensions.
    package func makePushCertificate(
        bundleID: String,
        environments: PushCertificateEnvironments,
        expires: Date? = nil
    ) throws -> SimulatorIdentity {
        try issue(
            subject: DistinguishedName([
                RelativeDistinguishedName(
                    RelativeDistinguishedName.Attribute(
                        type: AppleCertificateField.userID,
                        utf8String: bundleID
                    )
                ),
                RelativeDistinguishedName(
                    RelativeDistinguishedName.Attribute(
                        type: .RDNAttributeType.commonName,
                        utf8String: "Apple Push Services: \(bundleID)"
                    )
                ),
            ]),
            lifetime: 395 * 86_400,
            expires: expires,
            extensions: Certificate.Extensions(
                AppleCertificateField.extensions(bundleID: bundleID, environments: environments)
            )
        )
    }

    private func issue(
        subject: DistinguishedName,
        lifetime: TimeInterval,
        expires: Date? = nil,
        extensions: Certificate.Extensions
    ) throws -> SimulatorIdentity {
        let key = P256.Signing.PrivateKey()
        let leaf = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: min(madeAt, expires ?? madeAt) - 86_400,
            notValidAfter: expires ?? (madeAt + lifetime),
            issuer: certificate.subject,
            subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: extensions,
            issuerPrivateKey: Certificate.PrivateKey(self.key)
        )
        return SimulatorIdentity(
            certificatePEM: try leaf.serializeAsPEM().pemString,
            privateKeyPEM: key.pemRepresentation
        )
    }

    private static func addressBytes(_ host: String) -> [UInt8]? {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            let isRead = bytes.withUnsafeMutableBytes { inet_pton(family, host, $0.baseAddress) }
            if isRead == 1 { return bytes }
        }
        return nil
    }
}

/// A certificate and its private key, as PEM.
package struct SimulatorIdentity: Sendable {
    package let certificatePEM: String
    package let privateKeyPEM: String
}

/// The environments of a push certificate.
package struct PushCertificateEnvironments: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    package static let sandbox = PushCertificateEnvironments(rawValue: 1)
    package static let production = PushCertificateEnvironments(rawValue: 2)
}
