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
            use: gate.member { visit, _ in try await page(visit) }
        )
        router.post(
            RouterPath(ConsolePath.lists.path),
            use: gate.member(.marketer, limit: Self.fileLimit) { visit, _ in
                try await upload(visit)
            }
        )
        router.post(
            RouterPath(ConsolePath.renameList(":list").path),
            use: gate.member(.marketer) { visit, parameters in
                try await change(visit, parameters, .listSaved) { id, name in
                    try await lists.rename(id, to: name, by: visit.actor)
                }
            }
        )
        router.post(
            RouterPath(ConsolePath.deleteList(":list").path),
            use: gate.member(.marketer) { visit, parameters in
                try await change(visit, parameters, .listDeleted) { id, _ in
                    try await lists.delete(id, by: visit.actor)
                }
            }
        )
    }

    private func page(
        _ visit: Visit,
        name: String = "",
        faults: [FormFault] = [],
        upload: UserListService.Upload? = nil
    ) async throws -> Response {
        try site.page(
            "lists",
            UserListsPage(
                try await lists.lists(in: visit.workspace),
                name: name,
                faults: faults,
                upload: upload,
                visit: visit
            ),
            title: visit.words("lists.title"),
            place: .segments,
            visit: visit,
            status: faults.isEmpty ? .ok : .unprocessableContent
        )
    }

    private func upload(_ visit: Visit) async throws -> Response {
        let name = visit.form.trimmed("name")
        let file = visit.files.first { $0.field == "file" }?.bytes ?? []
        var form = FormValidator(visit: visit)
        if name.isEmpty { form.fault("name", "fault.segment_name") }
        if file.isEmpty { form.fault("file", "fault.file") }
        if form.faults.isEmpty {
            do {
                let upload = try await lists.upload(file, as: name, by: visit.actor)
                return try await page(visit, upload: upload)
            } catch let error as ValidationError {
                form.faults = error.problems.map { FormFault($0, at: \.description, visit.words) }
            }
        }
        return try await page(visit, name: name, faults: form.faults)
    }

    private func change(
        _ visit: Visit,
        _ parameters: Parameters,
        _ notice: FlashMessage,
        _ body: (_ id: UserListID, _ name: String) async throws -> Bool
    ) async throws -> Response {
        guard let id = parameters.get("list", as: Int64.self).map(UserListID.init) else {
            throw PageProblem.notFound
        }
        let name = visit.form.trimmed("name")
        do {
            guard try await body(id, name) else { throw PageProblem.notFound }
        } catch let error as ValidationError {
            let fault = FormFault(error.problems[0], at: { _ in "list" }, visit.words)
            return try await page(visit, faults: [fault])
        } catch let refusal as Refusal {
            let fault = FormFault(field: "list", text: visit.words(refusal.reason))
            return try await page(visit, faults: [fault])
        }
        return HTMLResponse.redirect(to: notice.address(.lists))
    }
}
