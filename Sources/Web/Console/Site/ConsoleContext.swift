import Accounts
import Foundation
import Model
import WebPages

/// What a console page or form is handled with: the request of a logged-in member.
struct ConsoleContext: Sendable {
    let session: String
    let member: Member
    /// The member's workspace.
    let home: WorkspaceSettings
    /// The workspaces that the member may open, the current one among them.
    let workspaces: [WorkspaceService.Membership]
    let zone: TimeZone
    let words: Words
    /// The CSRF token, which every form contains.
    let csrf: String
    /// Path and query of the request.
    let address: String
    /// The client's address.
    let clientAddress: String?
    /// The prefix of links to this server.
    let origin: String
    let query: FormFields
    /// The fields of a posted form; empty for other requests.
    let form: FormFields
    let files: [FormFile]
    let now: Date
    /// What is said of the file that the page's row comes from.
    var file: FileNotice?

    var workspace: WorkspaceID { member.workspace }
    var actor: Actor { .member(member) }

    /// Whether a provider with which the member signed in stands for the second factor.
    let hasProvidersFactor: Bool

    /// Whether the workspace requires a second factor, and the member has none.
    var lacksSecondFactor: Bool {
        home.requiresSecondFactor && member.secondFactorAt == nil && !hasProvidersFactor
    }

    func hasRole(atLeast role: Member.Role) -> Bool { member.role >= role }

    /// A time for templates: relative, with the exact time in addition.
    func moment(_ date: Date) -> Moment {
        Moment(
            relative: words.relative(date, to: now),
            exact: words.dateAndTime(date, in: zone),
            machine: date.formatted(.iso8601)
        )
    }
}

/// A point in time for `<time>`.
struct Moment {
    let relative: String
    let exact: String
    let machine: String
}
