import Accounts
import Hummingbird
import Model
import WebPages

/// A member of the team, for administrators: where they are signed in, and their second factor.
struct MemberRoutes: Sendable {
    private let site: ConsoleRenderer

    init(site: ConsoleRenderer) {
        self.site = site
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let gate = ConsoleAuthenticator(site: site)
        let get = gate.adder(of: .get, to: router)
        let post = gate.adder(of: .post, to: router)
        get(.member(":member"), .administrator) { context, parameters in
            try await page(try await member(parameters, context), context)
        }
        post(.removeSecondFactor(":member"), .administrator) { context, parameters in
            try await removeSecondFactor(parameters, context)
        }
        post(.removeMemberPasskey(":member", ":passkey"), .administrator) { context, parameters in
            let member = try await member(parameters, context)
            let id = PasskeyID(try parameters.require("passkey", as: Int64.self))
            guard
                try await site.services.passkeys.remove(id, of: member.id, by: context.actor)
            else { throw PageError.notFound }
            return HTMLResponse.redirect(
                to: FlashMessage.passkeyRemoved.address(.member("\(member.id)"))
            )
        }
        post(.releaseMember(":member"), .administrator) { context, parameters in
            let member = try await member(parameters, context)
            guard
                try await site.services.openIDProviders.release(member.id, by: context.actor)
            else { throw PageError.notFound }
            return HTMLResponse.redirect(
                to: FlashMessage.memberReleased.address(.member("\(member.id)"))
            )
        }
        post(.endMemberSessions(":member"), .administrator) { context, parameters in
            let member = try await member(parameters, context)
            try await site.services.accounts.end(
                context.form["session"],
                of: member.id,
                context
            )
            return HTMLResponse.redirect(
                to: FlashMessage.sessionsEnded.address(.member("\(member.id)"))
            )
        }
    }

    /// Lets a member who has lost the app sign in with the password alone.
    private func removeSecondFactor(_ parameters: Parameters, _ context: ConsoleContext)
        async throws
        -> Response
    {
        let member = try await member(parameters, context)
        guard try await site.services.secondFactors.remove(of: member.id, by: context.actor) else {
            throw PageError.notFound
        }
        return HTMLResponse.redirect(
            to: FlashMessage.secondFactorRemoved.address(.member("\(member.id)"))
        )
    }

    private func member(_ parameters: Parameters, _ context: ConsoleContext) async throws -> Member
    {
        let id = MemberID(try parameters.require("member", as: Int64.self))
        do {
            return try await site.services.members.member(id, in: context.workspace).member
        } catch let refusal as RefusalError where refusal.code == .noMember {
            throw PageError.notFound
        }
    }

    private func page(_ member: Member, _ context: ConsoleContext) async throws -> Response {
        let accounts = site.services.accounts
        let isReached = try await accounts.isOwnOrReached(member.id, by: context.actor)
        return try site.settingsPage(
            "settings-member",
            .team,
            context,
            MemberPage(
                member,
                isReached: isReached,
                passkeys: try await site.services.passkeys.passkeys(
                    of: member.id,
                    by: context.actor
                ),
                identities: try await site.services.openIDProviders.identities(
                    of: member.id,
                    by: context.actor
                ),
                sessions: isReached
                    ? SessionsPart(
                        try await accounts.sessions(of: member.id, by: context.actor),
                        present: accounts.sessionID(ofToken: context.session),
                        action: .endMemberSessions("\(member.id)"),
                        context: context
                    ) : nil,
                context: context
            )
        )
    }
}

extension AccountService {
    /// Ends the session with this identifier; all but the current one if it is empty.
    func end(_ session: String, of member: MemberID, _ context: ConsoleContext) async throws {
        if session.isEmpty {
            _ = try await endSessions(of: member, exceptToken: context.session, by: context.actor)
        } else {
            _ = try await endSession(session, of: member, by: context.actor)
        }
    }
}

/// A member of the team.
struct MemberPage {
    let name: String
    let email: String
    let role: String
    let signedIn: Moment?
    let secondFactor: Moment?
    /// `nil` for members themselves, without a second factor, and where it is refused.
    let removeAction: String?
    let removeQuestion: String
    let teamAddress: String
    /// Why the account is not managed here; `nil` where it is.
    let elsewhere: String?
    let hasAccount: Bool
    let sessions: SessionsPart?
    let passkeys: [Passkey]
    let hasPasskeys: Bool
    /// `nil` for members who are nobody at a provider.
    let release: Release?

    /// The persons at providers who the member is, and how that ends.
    struct Release {
        let identities: [Identity]
        let action: String
        let question: String
    }

    struct Identity {
        let issuer: String
        let subject: String
        let used: Moment?
    }

    struct Passkey {
        let name: String
        let used: Moment?
        let removeAction: String
        let removeQuestion: String
    }

    init(
        _ member: Member,
        isReached: Bool,
        passkeys: [Model.Passkey],
        identities: [OpenIDIdentity],
        sessions: SessionsPart?,
        context: ConsoleContext
    ) {
        release =
            identities.isEmpty
            ? nil
            : Release(
                identities: identities.map {
                    Identity(
                        issuer: $0.subject.issuer,
                        subject: $0.subject.subject,
                        used: $0.lastUsedAt.map(context.moment)
                    )
                },
                action: ConsolePath.releaseMember("\(member.id)").path,
                question: context.words("sso.release_confirm", ["name": member.name])
            )
        name = member.name
        email = member.email
        role = context.words(member.role.wordKey)
        signedIn = member.lastSignedInAt.map(context.moment)
        secondFactor = member.secondFactorAt.map(context.moment)
        removeAction =
            member.secondFactorAt == nil || member.id == context.member.id || !isReached
            ? nil : ConsolePath.removeSecondFactor("\(member.id)").path
        removeQuestion = context.words("factor.remove_confirm", ["name": member.name])
        teamAddress = ConsolePath.team.path
        elsewhere =
            isReached ? nil : context.words("team.elsewhere_help", ["name": member.name])
        hasAccount = isReached
        self.sessions = sessions
        hasPasskeys = !passkeys.isEmpty
        self.passkeys = passkeys.map {
            Passkey(
                name: $0.name,
                used: $0.lastUsedAt.map(context.moment),
                removeAction: ConsolePath.removeMemberPasskey("\(member.id)", "\($0.id)").path,
                removeQuestion: context.words("passkeys.remove_confirm", ["name": $0.name])
            )
        }
    }
}
