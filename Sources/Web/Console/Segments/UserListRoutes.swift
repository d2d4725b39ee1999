import Audience
import Hummingbird
import Model
import WebPages

/// The uploaded lists: upload, rename, delete.
struct UserListRoutes: Sendable {
    /// Maximum size of a file, in bytes: some two million ids.
    private static let fileLimit = 32 << 20

    private let site: ConsoleRenderer
    private let gate: ConsoleAuthenticator
    private let lists: UserListService

    init(site: ConsoleRenderer) {
        self.site = site
        lists = site.services.lists
        gate = ConsoleAuthenticator(site: site)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.lists.path),
            use: gate.member { context, _ in try await page(context) }
        )
        router.post(
            RouterPath(ConsolePath.lists.path),
            use: gate.member(.marketer, limit: Self.fileLimit) { context, _ in
                try await upload(context)
            }
        )
        router.post(
            RouterPath(ConsolePath.renameList(":list").path),
            use: gate.member(.marketer) { context, parameters in
                try await change(context, parameters, .listSaved) { id, name in
                    try await lists.rename(id, to: name, by: context.actor)
                }
            }
        )
        router.post(
            RouterPath(ConsolePath.deleteList(":list").path),
            use: gate.member(.marketer) { context, parameters in
                try await change(context, parameters, .listDeleted) { id, _ in
                    try await lists.delete(id, by: context.actor)
                }
            }
        )
    }

    private func page(
        _ context: ConsoleContext,
        name: String = "",
        faults: [FormFieldError] = [],
        upload: UserListService.Upload? = nil
    ) async throws -> Response {
        try site.page(
            "lists",
            UserListsPage(
                try await lists.lists(in: context.workspace),
                name: name,
                faults: faults,
                upload: upload,
                context: context
            ),
            title: context.words("lists.title"),
            place: .segments,
            context: context,
            status: faults.isEmpty ? .ok : .unprocessableContent
        )
    }

    private func upload(_ context: ConsoleContext) async throws -> Response {
        let name = context.form.trimmed("name")
        let file = context.files.first { $0.field == "file" }?.bytes ?? []
        var form = FormValidator(context: context)
        if name.isEmpty { form.fault("name", "fault.segment_name") }
        if file.isEmpty { form.fault("file", "fault.file") }
        if form.faults.isEmpty {
            do {
                let upload = try await lists.upload(file, as: name, by: context.actor)
                return try await page(context, upload: upload)
            } catch let error as ValidationError {
                form.faults = error.problems.map {
                    FormFieldError($0, at: \.description, context.words)
                }
            }
        }
        return try await page(context, name: name, faults: form.faults)
    }

    private func change(
        _ context: ConsoleContext,
        _ parameters: Parameters,
        _ notice: FlashMessage,
        _ body: (_ id: UserListID, _ name: String) async throws -> Bool
    ) async throws -> Response {
        guard let id = parameters.get("list", as: Int64.self).map(UserListID.init) else {
            throw PageError.notFound
        }
        let name = context.form.trimmed("name")
        do {
            guard try await body(id, name) else { throw PageError.notFound }
        } catch let error as ValidationError {
            let fault = FormFieldError(error.problems[0], at: { _ in "list" }, context.words)
            return try await page(context, faults: [fault])
        } catch let refusal as RefusalError {
            let fault = FormFieldError(field: "list", text: context.words(refusal.reason))
            return try await page(context, faults: [fault])
        }
        return HTMLResponse.redirect(to: notice.address(.lists))
    }
}
