import Model

/// What a site shows to push services.
package struct WebPushCredentials: Sendable, Hashable, Codable {
    /// What is wrong with credentials: the property, and what to do.
    package struct Problem: Sendable, Hashable, CustomStringConvertible {
        package var field: String
        package var description: String
    }

    /// The VAPID private key: 32 bytes in base64url, or PEM.
    package var privateKey: String
    /// Whom a push service writes to when something is wrong: `mailto:` or `https:`.
    package var contact: String
    /// The site's address, where a tap leads when a message names none.
    package var site: String

    package init(privateKey: String, contact: String, site: String) {
        self.privateKey = privateKey
        self.contact = contact
        self.site = site
    }

    /// Checks the credentials by themselves: the key signs and verifies, the contact is one that
    /// every service takes, the site is an address. Nil when they can be used.
    package var problem: Problem? {
        guard let key = try? VAPIDKey(privateKey: privateKey),
            (try? key.verifiesItself()) == true
        else {
            return Problem(field: "privateKey", description: VAPIDKeyError.unreadable.description)
        }
        // Apple refuses spaces and angle brackets.
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

/// Finds a web app's credentials; nil when it has none.
package typealias WebPushCredentialLookup = @Sendable (AppID) async throws -> WebPushCredentials?
