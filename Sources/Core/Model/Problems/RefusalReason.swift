import Reasons

/// Why a verb is not done.
package enum RefusalReason: String, ReasonCode {
    package static let family = ReasonFamily.refusal

    case callbackRefused = "may not be called: {reason}"
    case campaignArchived = "the campaign is archived"
    case campaignMoved = "the campaign was changed meanwhile; read it again"
    case campaignState = "the campaign is not {states}"
    case contentUsed = "messages are made from it now: {names}; stop them first"
    case contentUsedByMore =
        "messages are made from it now: {names} and {count} more; stop them first"
    case filterForNamed = "the campaign is for named users; leave the filter out"
    case journeyArchived = "the journey is archived"
    case journeyMoved = "the journey was changed meanwhile; read it again"
    case journeyNotByAPI = "people do not enter this journey by the API"
    case journeyState = "the journey is not {states}"
    case lastAdministrator =
        "this is the last administrator who may sign in; make another one first"
    case linkUnusable =
        "this link was used already or is too old; ask an administrator for a new one"
    case listUsed = "the segment '{name}' refers to this list"
    case memberAddress = "the address of a member stays as it is; make another member"
    case memberElsewhere =
        "this person belongs to workspaces of which you are no administrator; the operator of the server can do this on the command line"
    case memberTaken = "there is a member with the address {address}"
    case noMember = "there is no such member"
    case noSync = "there is no such file to import"
    case notTriggered = "the campaign is not triggered by the API"
    case openIDBound =
        "this member, or this person at the provider, is bound already; release the member first"
    case openIDDenied = "{provider} did not let you in"
    case openIDExpired = "this sign-in took too long or was begun in another browser; begin again"
    case openIDFailed =
        "signing in with {provider} did not work; an administrator finds the reason in the audit log"
    case openIDInactive = "this account may not sign in; ask an administrator"
    case openIDNoProvider = "the workspace has no provider to sign in with"
    case openIDOnlyWay = "members of this workspace sign in with {provider} only"
    case openIDOtherPerson =
        "the member with your address is another person at {provider}; ask an administrator"
    case openIDRemoved = "you were removed from the workspace; ask an administrator to add you"
    case openIDUnknown = "nobody here has the address {address}; ask an administrator to add you"
    case openIDUnverified =
        "{provider} does not say that your e-mail address is yours; ask an administrator"
    case otherRequest = "the Idempotency-Key was used for another request; send a new key"
    case rehearsalBusy = "another rehearsal is being played; wait until it has ended"
    case rehearsalPeople =
        "{count} people are too many to play beside the server, which takes {limit}; use ./noroshi rehearse"
    case rehearsalSize =
        "the database is too large to be copied beside the server; use ./noroshi rehearse elsewhere"
    case segmentUsed = "the segment '{name}' refers to this one"
    case signInBusy = "too many passwords are being looked at; try again in a few seconds"
    case signInLimited = "too many passwords were wrong; try again in {minutes} minutes"
    case syncRunning = "the file is being imported already"
}
