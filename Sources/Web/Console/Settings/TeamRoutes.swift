import Accounts
import Hummingbird
import Model
import WebPages

/// The members of the console.
struct TeamRoutes: Sendable {
    private let site: ConsoleRenderer

    init(site: ConsoleRenderer) {
        self.site = site
    }

    private var members: MemberDirectory { site.services.members }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let gate = ConsoleAuthenticator(site: site)
        let get = gate.adder(of: .get, to: router)
        let post = gate.adder(of: .post, to: router)
        get(.team, .administrator) { context, _ in try await list(context) }
        post(.team, .administrator) { context, _ in try await addMember(context) }
        post(.memberRole(":member"), .administrator) { context, parameters in
            let id = try Self.member(parameters)
            guard let role = Member.Role(rawValue: context.form["role"]) else {
                throw PageError.notFound
            }
            return try await changed(.memberChanged) {
                try await members.setRole(role, of: id, by: context.actor)
            }
        }
        post(.removeMember(":member"), .administrator) { context, parameters in
            let id = try Self.member(parameters)
            return try await changed(.memberRemoved) {
                try await members.remove(id, by: context.actor)
            }
        }
        post(.makePasswordLink(":member"), .administrator) { context, parameters in
            try await makePasswordLink(for: try Self.member(parameters), context)
        }
    }

    private static func member(_ parameters: Parameters) throws -> MemberID {
        MemberID(try parameters.require("member", as: Int64.self))
    }

    private func addMember(_ context: ConsoleContext) async throws -> Response {
        let form = context.form
        let password = form["password"]
        var faults = context.emptyTexts(["name", "email"])
        guard faults.isEmpty else { return try await list(context, faults: faults) }
        do {
            let (entry, link) = try await members.invite(
                MemberDirectory.Draft(
                    email: form.trimmed("email"),
                    name: form.trimmed("name"),
                    role: Member.Role(rawValue: form["role"]) ?? .viewer,
                    password: password.isEmpty ? nil : password
                ),
                by: context.actor
            )
            if let link { return try await list(context, link: TeamPage.Link(link, context)) }
            let notice: FlashMessage = entry.belongsElsewhere ? .knownMemberAdded : .memberAdded
            return HTMLResponse.redirect(to: notice.address(.team))
        } catch let error as ValidationError {
            faults = error.problems.map { FormFieldError($0, at: \.description, context.words) }
        } catch let refusal as RefusalError {
            let field = refusal.code == .memberTaken ? "email" : "password"
            faults = [FormFieldError(field: field, text: context.words(refusal.reason))]
        }
        return try await list(context, faults: faults)
    }

    private func changed(
        _ notice: FlashMessage,
        _ change: () async throws -> Void
    ) async throws -> Response {
        do {
            try await change()
            return HTMLResponse.redirect(to: notice.address(.team))
        } catch let refusal as RefusalError where refusal.code == .noMember {
            throw PageError.notFound
        } catch let refusal as RefusalError where refusal.code == .lastAdministrator {
            throw PageError.notAllowed
        }
    }

    /// Creates a link with which a member chooses a new password; it is shown once, for the
    /// administrator to send.
    private func makePasswordLink(for id: MemberID, _ context: ConsoleContext) async throws
        -> Response
    {
        let made = try await site.services.accounts.makePasswordLink(for: id, by: context.actor)
        guard let made else { throw PageError.notFound }
        return try await list(context, link: TeamPage.Link(made, context))
    }

    private func list(
        _ context: ConsoleContext,
        faults: [FormFieldError] = [],
        link: TeamPage.Link? = nil
    ) async throws -> Response {
        try site.settingsPage(
            "settings-team",
            .team,
            context,
            TeamPage(
                try await members.members(in: context.workspace),
                outOfReach: try await site.services.accounts.membersOutOfReach(of: context.actor),
                faults: faults,
                link: link,
                context: context
            ),
            isWrong: !faults.isEmpty
        )
    }
}
