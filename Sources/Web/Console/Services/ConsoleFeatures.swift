import Accounts

/// The parts of the console that a server may or may not have; the navigation shows what is there.
package struct ConsoleFeatures: Sendable {
    package var accounts: AccountService?
    package var workspaces: WorkspaceService?
    package var news: (any NewsPages)?
    package var events: (any EventPages)?
    package var limits: (any LimitPages)?
    package var apps: (any AppPages)?
    package var keys: (any KeyPages)?
    package var team: (any TeamPages)?
    package var audit: (any AuditPages)?
    package var system: (any SystemPages)?

    package init(
        accounts: AccountService? = nil,
        workspaces: WorkspaceService? = nil,
        news: (any NewsPages)? = nil,
        events: (any EventPages)? = nil,
        limits: (any LimitPages)? = nil,
        apps: (any AppPages)? = nil,
        keys: (any KeyPages)? = nil,
        team: (any TeamPages)? = nil,
        audit: (any AuditPages)? = nil,
        system: (any SystemPages)? = nil
    ) {
        self.accounts = accounts
        self.workspaces = workspaces
        self.news = news
        self.events = events
        self.limits = limits
        self.apps = apps
        self.keys = keys
        self.team = team
        self.audit = audit
        self.system = system
    }
}
