import Foundation

/// One change of a workspace: who made what, and when.
package struct AuditRecord: Sendable, Hashable {
    /// Where somebody made a change.
    package enum Origin: String, Sendable, Hashable, Codable, CaseIterable {
        case console, api
        case commandLine = "command_line"
    }

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
        self.subject = subject
        self.detail = detail
    }
}
