import Accounts
import Console
import Foundation
import Model
import Ports

/// Answers who may use the console.
struct ConsoleAdapter: AccountPages {
    let store: any Store
    let accounts: AccountService
    let now: @Sendable () -> Date

    func logIn(
        email: String,
        password: String,
        from address: String?
    ) async throws -> ConsoleSession? {
        let signedIn = try await accounts.signIn(email: email, password: password, from: address)
        guard let signedIn else { return nil }
        return ConsoleSession(
            token: signedIn.token,
            expiresAt: now().addingTimeInterval(AccountService.sessionLength)
        )
    }

    func member(ofSession token: String) async throws -> ConsoleMember? {
        guard let member = try await accounts.member(sessionToken: token) else { return nil }
        let workspace = try await store.workspace(member.workspace)
        return ConsoleMember(
            id: member.id.rawValue,
            name: member.name,
            email: member.email,
            role: member.role,
            workspaceID: member.workspace.rawValue,
            workspaceName: workspace?.name ?? "",
            timeZone: workspace?.zone ?? .gmt,
            color: workspace?.settings.color ?? .ember,
            lastSignedInAt: member.lastSignedInAt
        )
    }

    func logOut(session token: String) async throws {
        try await accounts.signOut(sessionToken: token)
    }
}
