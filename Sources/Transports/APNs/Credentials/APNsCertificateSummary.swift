import Foundation
import Model
import PushHTTP
import SwiftASN1
import X509

/// The contents of a push certificate: the app, the topics, the environments and the expiry.
package struct APNsCertificateSummary: Sendable, Hashable {
    /// Days before the expiry from which the operator is warned.
    private static let warningDays = 30

    package var commonName: String
    /// The app's bundle identifier.
    package var bundleID: String
    /// The permitted topics; without the extension, only the bundle identifier.
    package var topics: [String]
    package var environments: Set<APNsEnvironment>
    package var validFrom: Date
    package var expires: Date

    /// Opens a `.p12` file and reads its certificate.
    package init(p12: [UInt8], password: String?) throws(APNsCredentialError) {
        do {
            let identity = try PushClientIdentity(p12: p12, password: password)
            self = try APNsCertificateSummary(certificateDER: identity.certificateDER)
        } catch let error as PushIdentityError {
            throw APNsCredentialError(reason: "BadCertificateFile", error.description)
        } catch let error as APNsCredentialError {
            throw error
        } catch {
            throw APNsCredentialError(reason: "BadCertificateFile", "\(error)")
        }
    }

    package init(certificateDER: [UInt8]) throws(APNsCredentialError) {
        let certificate: Certificate
        do {
            certificate = try Certificate(derEncoded: certificateDER)
        } catch {
            throw APNsCredentialError(
                reason: "BadCertificateFile",
                "The certificate cannot be read (\(error)). Export it again."
            )
        }
        var names: [ASN1ObjectIdentifier: String] = [:]
        for attribute in certificate.subject.flatMap({ Array($0) }) {
            names[attribute.type] = String(attribute.value)
        }
        guard let bundleID = names[Field.userID], !bundleID.isEmpty else {
            throw APNsCredentialError(
                reason: "NotAPushCertificate",
                """
                The certificate names no app (its subject has no UID), so it is not an Apple \
                push certificate. Create one at Apple's developer site: Identifiers, your app, \
                Push Notifications.
                """
            )
        }
        self.bundleID = bundleID
        commonName = names[.RDNAttributeType.commonName] ?? ""
        var environments: Set<APNsEnvironment> = []
        if certificate.extensions[oid: Field.sandbox] != nil { environments.insert(.sandbox) }
        if certificate.extensions[oid: Field.production] != nil {
            environments.insert(.production)
        }
        self.environments = environments
        topics = certificate.extensions[oid: Field.topics].flatMap(Self.topics) ?? [bundleID]
        validFrom = certificate.notValidBefore
        expires = certificate.notValidAfter
    }

    /// The reason why the certificate cannot push for an app; `nil` if it can.
    package func problem(
        bundleID: String,
        environment: APNsEnvironment,
        now: Date
    ) -> APNsCredentialError? {
        guard now < expires else {
            return APNsCredentialError(
                reason: "ExpiredCertificate",
                """
                The push certificate of \(self.bundleID) expired on \(Self.day(expires)). \
                Create a new one at Apple's developer site and upload it.
                """
            )
        }
        guard now >= validFrom else {
            return APNsCredentialError(
                reason: "CertificateNotYetValid",
                """
                The push certificate of \(self.bundleID) is valid from \(Self.day(validFrom)). \
                Check this server's clock.
                """
            )
        }
        guard environments.contains(environment) else {
            let names = environments.map(\.rawValue).sorted().joined(separator: " and ")
            return APNsCredentialError(
                reason: "BadCertificateEnvironment",
                """
                The push certificate of \(self.bundleID) is for \(names.isEmpty ? "neither" : names) \
                and not for \(environment.rawValue). Upload one for \(environment.rawValue).
                """
            )
        }
        guard bundleID == self.bundleID || topics.contains(bundleID) else {
            return APNsCredentialError(
                reason: "TopicDisallowed",
                """
                The push certificate is for \(self.bundleID), not for \(bundleID). Upload the \
                certificate of \(bundleID).
                """
            )
        }
        return nil
    }

    /// A warning if the certificate expires soon; otherwise `nil`.
    package func warning(now: Date) -> String? {
        guard now < expires else {
            return """
                The push certificate of \(bundleID) expired on \(Self.day(expires)): its pushes do \
                not leave. Create a new one at Apple's developer site and upload it.
                """
        }
        let days = Int(expires.timeIntervalSince(now) / 86_400)
        guard days < Self.warningDays else { return nil }
        return """
            The push certificate of \(bundleID) expires in \(days) days, on \(Self.day(expires)). \
            Create a new one and upload it before then.
            """
    }

    private static func day(_ date: Date) -> String {
        String(date.formatted(.iso8601).prefix(10))
    }

    /// Apple's object identifiers.
    private enum Field {
        static let userID: ASN1ObjectIdentifier = [0, 9, 2342, 19_200_300, 100, 1, 1]
        static let sandbox: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 3, 1]
        static let production: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 3, 2]
        static let topics: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 3, 6]
    }

    /// The topics in a sequence of pairs of a topic and its kinds.
    private static func topics(_ extension: Certificate.Extension) -> [String]? {
        guard let root = try? DER.parse(`extension`.value),
            case .constructed(let children) = root.content
        else { return nil }
        // Every second element is a sequence, not a string, and is skipped.
        return children.compactMap { node in
            (try? ASN1UTF8String(derEncoded: node)).map { String($0) }
        }
    }
}
