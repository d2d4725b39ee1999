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
            use: gate.member(.marketer) { context, parameters in
                let user = try await found(context, parameters)
                return try page(UserForm(user.profile), of: user, context)
            }
        )
        router.post(
            RouterPath(ConsolePath.editUser(":user").path),
            use: gate.member(.marketer) { context, parameters in
                try await save(found(context, parameters), context)
            }
        )
    }

    private func found(_ context: ConsoleContext, _ parameters: Parameters) async throws
        -> UserSummary
    {
        guard let id = parameters.get("user", as: Int64.self).map(ProfileID.init),
            let user = try await users.user(id, in: context.workspace)
        else { throw PageError.notFound }
        return user.summary
    }

    private func save(_ user: UserSummary, _ context: ConsoleContext) async throws -> Response {
        var form = UserForm(fields: context.form)
        do {
            let changes = try form.changes(of: user.profile, context)
            guard
                try await editor.change(
                    user.profile.id,
                    changes.values,
                    since: changes.basis,
                    by: context.actor
                )
            else { throw PageError.notFound }
            return HTMLResponse.redirect(
                to: FlashMessage.userSaved.address(.user("\(user.profile.id)"))
            )
        } catch let rejected as FormError {
            // What it is now has been shown: saving once more means it.
            form.basis = UserForm(user.profile).basis
            return try page(form, of: user, context, faults: rejected.faults)
        } catch let error as ValidationError {
            let faults = error.problems.map {
                FormFieldError(
                    field: form.field(of: $0.field),
                    text: UserFault.text($0, context.words)
                )
            }
            return try page(form, of: user, context, faults: faults)
        }
    }

    private func page(
        _ form: UserForm,
        of user: UserSummary,
        _ context: ConsoleContext,
        faults: [FormFieldError] = []
    ) throws -> Response {
        let page = UserEditorPage(form, of: user, faults: faults, context: context)
        return try site.page(
            "user-edit",
            page,
            title: page.title,
            place: .users,
            context: context,
            status: faults.isEmpty ? .ok : .unprocessableContent
        )
    }
}
