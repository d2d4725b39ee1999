import Foundation

/// One change of a workspace: who made what, and when.
package struct AuditRecord: Sendable, Hashable {
    /// Where somebody made a change.
    package enum Origin: String, Sendable, Hashable, Codable, CaseIterable {
        case console, api
        case commandLine = "command_line"
    }

    /// A text is cut off here: the log tells what was done, not everything that was written.
    private static let longestText = 500

    package var at: Date
    package var origin: Origin
    /// The member's or the key's name; the account of the operating system on the command line.
    package var author: String
    /// What was done, such as `push.sent`; of an API key the endpoint's permission.
    package var action: String
    /// To what, such as `#12` or the name of a key.
    package var subject: String
    /// Anything else worth knowing; never a secret.
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
        self.subject = String(subject.prefix(Self.longestText))
        self.detail = String(detail.prefix(Self.longestText))
    }

    /// What an actor has done.
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
