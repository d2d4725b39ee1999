import Foundation
import Model
import WebPages

/// One request of a member who is logged in.
struct Visit: Sendable {
    let session: String
    let member: Member
    /// The member's workspace.
    let home: WorkspaceSettings
    let zone: TimeZone
    let words: Words
    /// Goes into every form and comes back with it.
    let csrf: String
    /// Path and query of the request.
    let address: String
    /// Where the request comes from.
    let clientAddress: String?
    /// What links to this server begin with.
    let origin: String
    let query: FormFields
    /// The fields of a posted form; empty for other requests.
    let form: FormFields
    let files: [FormFile]
    let now: Date

    var workspace: WorkspaceID { member.workspace }
    var actor: Actor { .member(member) }

    func may(_ role: Member.Role) -> Bool { member.role >= role }

    /// A moment as a template shows it: relative, with the exact time beside it.
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
