import Foundation
import Model
import PushHTTP
import Reasons
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
    package init(p12: [UInt8], password: String?) throws(CredentialError) {
        let identity = try PushClientIdentity(p12: p12, password: password)
        try self.init(certificateDER: identity.certificateDER)
    }

    package init(certificateDER: [UInt8]) throws(CredentialError) {
        let certificate: Certificate
        do {
            certificate = try Certificate(derEncoded: certificateDER)
        } catch {
            throw CredentialError(.certificateUnreadable, ["reason": "\(error)"])
        }
        var names: [ASN1ObjectIdentifier: String] = [:]
        for attribute in certificate.subject.flatMap({ Array($0) }) {
            names[attribute.type] = String(attribute.value)
        }
        guard let bundleID = names[Field.userID], !bundleID.isEmpty else {
            throw CredentialError(.certificateNamesNoApp)
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
    ) -> CredentialError? {
        guard now < expires else {
            return CredentialError(
                .certificateExpired,
                ["app": .text(self.bundleID), "day": "\(Self.day(expires))"]
            )
        }
        guard now >= validFrom else {
            return CredentialError(
                .certificateEarly,
                ["app": .text(self.bundleID), "day": "\(Self.day(validFrom))"]
            )
        }
        guard environments.contains(environment) else {
            let names = environments.map(\.rawValue).sorted().joined(separator: " and ")
            return CredentialError(
                .certificateEnvironment,
                [
                    "app": .text(self.bundleID), "first": .text(names.isEmpty ? "neither" : names),
                    "second": "\(environment.rawValue)", "environment": "\(environment.rawValue)",
                ]
            )
        }
        guard bundleID == self.bundleID || topics.contains(bundleID) else {
            return CredentialError(
                .certificateApp,
                ["app": .text(self.bundleID), "other": .text(bundleID), "bundle": .text(bundleID)]
            )
        }
        return nil
    }

    /// A warning when the expiry is near; nil while there is time.
    package func warning(now: Date) -> Reason? {
        let day: Reason.Argument = "\(Self.day(expires))"
        guard now < expires else {
            return Reason(
                CredentialReason.certificateOver,
                ["app": .text(bundleID), "day": day]
            )
        }
        let days = Int(expires.timeIntervalSince(now) / 86_400)
        guard days < Self.warningDays else { return nil }
        return Reason(
            CredentialReason.certificateEnds,
            ["app": .text(bundleID), "count": "\(days)", "day": day]
        )
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
