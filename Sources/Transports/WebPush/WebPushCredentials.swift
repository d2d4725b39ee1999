import Model

/// The credentials that a site presents to push services.
package struct WebPushCredentials: Sendable, Hashable, Codable {
    /// The error of the credentials: the property, and how to fix it.
    package struct Problem: Sendable, Hashable, CustomStringConvertible {
        package var field: String
        package var description: String
    }

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

    /// The first error of the credentials, checked locally: the key must sign and verify, every
    /// service must accept the contact, and the site must be an address. `nil` if they can be used.
    package var problem: Problem? {
        guard let key = try? VAPIDKey(privateKey: privateKey),
            (try? key.verifiesItself()) == true
        else {
            return Problem(field: "privateKey", description: VAPIDKeyError.unreadable.description)
        }
        // Apple rejects spaces and angle brackets.
        let isPlain = contact.utf8.allSatisfy { byte in
            byte > 0x20 && byte < 0x7f && byte != UInt8(ascii: "<") && byte != UInt8(ascii: ">")
        }
        guard isPlain,
            contact.hasPrefix("mailto:") && contact.contains("@")
                || contact.hasPrefix("https://")
        else {
            return Problem(
                field: "contact",
                description: """
                    The contact "\(contact)" is neither mailto: with an address nor an https: URL \
                    without spaces or brackets.
                    """
            )
        }
        guard site.hasPrefix("https://") || site.hasPrefix("http://") else {
            return Problem(
                field: "site",
                description: """
                    The site "\(site)" is not a web address. Enter where a tap leads, such as \
                    https://www.example.com/.
                    """
            )
        }
        return nil
    }
}

/// Looks up a web app's credentials; `nil` if it has none.
package typealias WebPushCredentialLookup = @Sendable (AppID) async throws -> WebPushCredentials?
