import Foundation

/// A change in a workspace, with its author and time.
package struct AuditRecord: Sendable, Hashable {
    /// The interface through which a change was made.
    package enum Origin: String, Sendable, Hashable, Codable, CaseIterable {
        case console, api
        case commandLine = "command_line"
    }

    /// Maximum length of a text: the log records the action, not everything that was written.
    private static let maxTextLength = 500

    package var at: Date
    package var origin: Origin
    /// The member's or the key's name; the account of the operating system on the command line.
    package var author: String
    /// The action, such as `push.sent`; for an API key the endpoint's permission.
    package var action: String
    /// The object of the action, such as `#12` or the name of a key.
    package var subject: String
    /// Further information; never a secret.
    package var detail: String

    package init(
        at: Date,
        origin: Origin,
        author: String,
        action: String,
        subject: String,
        detail: String = ""
    ) {
        self.at = at
        self.origin = origin
        self.author = author
        self.action = action
        self.subject = String(subject.prefix(Self.maxTextLength))
        self.detail = String(detail.prefix(Self.maxTextLength))
    }

    /// Creates the record of an actor's action.
    package init(at: Date, by actor: Actor, action: String, subject: String, detail: String = "") {
        self.init(
            at: at,
            origin: actor.origin,
            author: actor.name,
            action: action,
            subject: subject,
            detail: detail
        )
    }
}
