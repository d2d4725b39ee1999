import Hummingbird
import Model
import Users
import WebPages

/// The form for a user's attributes.
struct UserEditorRoutes: Sendable {
    private let site: ConsoleRenderer
    private let users: UserDirectory
    private let editor: ProfileEditor

    init(site: ConsoleRenderer) {
        self.site = site
        users = site.services.users
        editor = site.services.profiles
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let gate = ConsoleAuthenticator(site: site)
        router.get(
            RouterPath(ConsolePath.editUser(":user").path),
            use: gate.member(.marketer) { visit, parameters in
                let user = try await found(visit, parameters)
                return try page(UserForm(user.profile), of: user, visit)
            }
        )
        router.post(
            RouterPath(ConsolePath.editUser(":user").path),
            use: gate.member(.marketer) { visit, parameters in
                try await save(found(visit, parameters), visit)
            }
        )
    }

    private func found(_ visit: Visit, _ parameters: Parameters) async throws -> UserSummary {
        guard let id = parameters.get("user", as: Int64.self).map(ProfileID.init),
            let user = try await users.user(id, in: visit.workspace)
        else { throw PageProblem.notFound }
        return user.summary
    }

    private func save(_ user: UserSummary, _ visit: Visit) async throws -> Response {
        var form = UserForm(fields: visit.form)
        do {
            let changes = try form.changes(of: user.profile, visit)
            guard
                try await editor.change(
                    user.profile.id,
                    changes.values,
                    since: changes.basis,
                    by: visit.actor
                )
            else { throw PageProblem.notFound }
            return HTMLResponse.redirect(
                to: FlashMessage.userSaved.address(.user("\(user.profile.id)"))
            )
        } catch let rejected as FormRejected {
            // What it is now has been shown: saving once more means it.
            form.basis = UserForm(user.profile).basis
            return try page(form, of: user, visit, faults: rejected.faults)
        } catch let error as ValidationError {
            let faults = error.problems.map {
                FormFault(
                    field: form.field(of: $0.field),
                    text: UserFault.text($0, visit.words)
                )
            }
            return try page(form, of: user, visit, faults: faults)
        }
    }

    private func page(
        _ form: UserForm,
        of user: UserSummary,
        _ visit: Visit,
        faults: [FormFault] = []
    ) throws -> Response {
        let page = UserEditorPage(form, of: user, faults: faults, visit: visit)
        return try site.page(
            "user-edit",
            page,
            title: page.title,
            place: .users,
            visit: visit,
            status: faults.isEmpty ? .ok : .unprocessableContent
        )
    }
}
