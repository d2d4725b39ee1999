import Foundation

/// A member's sign-in to the console, until it ends.
package struct ConsoleSession: Sendable, Hashable {
    /// Maximum length of a stored user agent, in characters.
    package static let userAgentLimit = 300

    private static let idLength = 12

    /// The beginning of the hash of the session's token: identifies the session, and opens nothing.
    package var id: String
    package var startedAt: Date
    package var lastSeenAt: Date
    package var expiresAt: Date
    /// The client's address of the last recorded request; `nil` if it is unknown.
    package var address: String?
    /// What the browser calls itself; empty if it is unknown.
    package var userAgent: String
    /// Whether the provider with which the member signed in stands for the second factor.
    package var hasSecondFactor: Bool
    /// Whether the member has signed in with the workspace's provider.
    package var isByProvider: Bool
    /// The workspace that is open in it; `nil` before it is stored.
    package var workspace: WorkspaceID?

    package init(
        tokenHash: Data,
        startedAt: Date,
        lastSeenAt: Date? = nil,
        expiresAt: Date,
        address: String? = nil,
        userAgent: String = "",
        hasSecondFactor: Bool = false,
        isByProvider: Bool = false,
        workspace: WorkspaceID? = nil
    ) {
        id = Self.id(tokenHash: tokenHash)
        self.startedAt = startedAt
        self.lastSeenAt = lastSeenAt ?? startedAt
        self.expiresAt = expiresAt
        self.address = address
        self.userAgent = Self.shown(userAgent)
        self.hasSecondFactor = hasSecondFactor
        self.isByProvider = isByProvider
        self.workspace = workspace
    }

    package static func id(tokenHash: Data) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let bytes = tokenHash.prefix(idLength)
            .flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func shown(_ text: String) -> String {
        let printable = text.unicodeScalars.filter {
            $0.properties.generalCategory != .control
        }
        return String(String(String.UnicodeScalarView(printable)).prefix(userAgentLimit))
    }
}

/// The sessions of a member that are to end.
package enum ConsoleSessionChoice: Sendable, Hashable {
    case one(id: String)
    /// All; except the one with this hash of its token.
    case all(except: Data?)
}
