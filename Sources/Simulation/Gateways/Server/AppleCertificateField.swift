import SwiftASN1
import X509

/// The object identifiers in Apple's push certificates that define their purposes.
enum AppleCertificateField {
    static let userID: ASN1ObjectIdentifier = [0, 9, 2342, 19_200_300, 100, 1, 1]
    static let sandbox: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 3, 1]
    static let production: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 3, 2]
    static let topics: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 3, 6]

    static func extensions(
        bundleID: String,
        environments: PushCertificateEnvironments
    ) throws -> [Certificate.Extension] {
        let null: ArraySlice<UInt8> = [0x05, 0x00]
        var extensions: [Certificate.Extension] = []
        if environments.contains(.sandbox) {
            extensions.append(Certificate.Extension(oid: sandbox, critical: false, value: null))
        }
        if environments.contains(.production) {
            extensions.append(Certificate.Extension(oid: production, critical: false, value: null))
        }
        if environments == [.sandbox, .production] {
            extensions.append(
                Certificate.Extension(
                    oid: topics,
                    critical: false,
                    value: try topicList(bundleID: bundleID)[...]
                )
            )
        }
        return extensions
    }

    /// Pairs of a topic and its kinds, in one sequence.
    private static func topicList(bundleID: String) throws -> [UInt8] {
        let topics = [
            (bundleID, "app"), (bundleID + ".voip", "voip"),
            (bundleID + ".complication", "complication"),
        ]
        var serializer = DER.Serializer()
        try serializer.appendConstructedNode(identifier: .sequence) { serializer in
            for (topic, kind) in topics {
                try serializer.serialize(ASN1UTF8String(topic))
                try serializer.appendConstructedNode(identifier: .sequence) { serializer in
                    try serializer.serialize(ASN1UTF8String(kind))
                }
            }
        }
        return serializer.serializedBytes
    }

    /// The bundle identifier in a certificate's subject.
    static func bundleID(of certificate: Certificate) -> String? {
        for name in certificate.subject {
            for attribute in name where attribute.type == userID {
                return String(attribute.value)
            }
        }
        return nil
    }

    /// The environments for which a certificate is valid.
    static func environments(of certificate: Certificate) -> PushCertificateEnvironments {
        var environments: PushCertificateEnvironments = []
        if certificate.extensions[oid: sandbox] != nil { environments.insert(.sandbox) }
        if certificate.extensions[oid: production] != nil { environments.insert(.production) }
        return environments
    }
}
