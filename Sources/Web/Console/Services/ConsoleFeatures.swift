import Accounts

/// The parts of the console that a server may or may not have; the navigation shows what is there.
package struct ConsoleFeatures: Sendable {
    package var accounts: AccountService?
    package var workspaces: WorkspaceService?
    package var apps: (any AppPages)?
    package var keys: (any KeyPages)?
    package var team: (any TeamPages)?

    package init(
        accounts: AccountService? = nil,
        workspaces: WorkspaceService? = nil,
        apps: (any AppPages)? = nil,
        keys: (any KeyPages)? = nil,
        team: (any TeamPages)? = nil
    ) {
        self.accounts = accounts
        self.workspaces = workspaces
        self.apps = apps
        self.keys = keys
        self.team = team
    }
}
