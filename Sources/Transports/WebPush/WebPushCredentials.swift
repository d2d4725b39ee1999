/// What a site shows to push services.
package struct WebPushCredentials: Sendable, Hashable, Codable {
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

    /// What is wrong with the credentials, in words; nil when they can be used.
    package var problem: String? {
        if (try? VAPIDKey(privateKey: privateKey)) == nil {
            return VAPIDKeyError.unreadable.description
        }
        // Apple refuses spaces and angle brackets.
        let isPlain = contact.utf8.allSatisfy { byte in
            byte > 0x20 && byte < 0x7f && byte != UInt8(ascii: "<") && byte != UInt8(ascii: ">")
        }
        guard isPlain,
            contact.hasPrefix("mailto:") && contact.contains("@")
                || contact.hasPrefix("https://")
        else {
            return """
                The contact "\(contact)" is neither mailto: with an address nor an https: URL \
                without spaces or brackets.
                """
        }
        guard site.hasPrefix("https://") || site.hasPrefix("http://") else {
            return "The site \"\(site)\" is not a web address."
        }
        return nil
    }
}

/// Finds the site's credentials; nil when it has none. A subscription does not name its site, so
/// there is one set for each transport.
package typealias WebPushCredentialLookup =
    @Sendable (_ subscriptionEndpoint: String) async throws -> WebPushCredentials?
