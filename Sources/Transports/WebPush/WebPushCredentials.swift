import Model
import Reasons

/// The credentials that a site presents to push services.
package struct WebPushCredentials: Sendable, Hashable, Codable {
    /// The VAPID private key: 32 bytes in base64url, or PEM.
    package var privateKey: String
    /// The contact that a push service writes to about problems: `mailto:` or `https:`.
    package var contact: String
    /// The address of the site, which a tap opens if a message names none.
    package var site: String

    package init(privateKey: String, contact: String, site: String) {
        self.privateKey = privateKey
        self.contact = contact
        self.site = site
    }

    /// Checks the credentials by themselves: the key signs and verifies, the contact is one that
    /// every service takes, the site is an address. Nil when they can be used.
    package var problem: FieldProblem? {
        guard let key = try? VAPIDKey(privateKey: privateKey),
            (try? key.verifiesItself()) == true
        else {
            return Self.problem(.privateKey, .vapidKey)
        }
        // Apple rejects spaces and angle brackets.
        let isPlain = contact.utf8.allSatisfy { byte in
            byte > 0x20 && byte < 0x7f && byte != UInt8(ascii: "<") && byte != UInt8(ascii: ">")
        }
        guard isPlain,
            contact.hasPrefix("mailto:") && contact.contains("@")
                || contact.hasPrefix("https://")
        else {
            return Self.problem(.contact, .contact, ["contact": .text(contact)])
        }
        guard site.hasPrefix("https://") || site.hasPrefix("http://") else {
            return Self.problem(.site, .site, ["site": .text(site)])
        }
        return nil
    }

    private static func problem(
        _ field: FieldPath.Credential,
        _ code: CredentialReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) -> FieldProblem {
        FieldProblem(.credential(field), Reason(code, arguments))
    }
}

/// Looks up a web app's credentials; `nil` if it has none.
package typealias WebPushCredentialLookup = @Sendable (AppID) async throws -> WebPushCredentials?
