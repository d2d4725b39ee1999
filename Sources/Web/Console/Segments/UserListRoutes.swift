import Foundation
import Hummingbird
import Model
import WebPages

/// The uploaded lists: upload, rename, delete.
struct UserListRoutes: Sendable {
    /// Some two million ids.
    private static let fileLimit = 32 << 20

    private let site: ConsoleSite
    private let gate: Gate
    private let lists: any UserListPages

    init(site: ConsoleSite, lists: any UserListPages) {
        self.site = site
        self.lists = lists
        gate = Gate(site: site)
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
                    try await lists.renameList(id: id, to: name, for: visit.member)
                }
            }
        )
        router.post(
            RouterPath(ConsolePath.deleteList(":list").path),
            use: gate.member(.marketer) { visit, parameters in
                try await change(visit, parameters, .listDeleted) { id, _ in
                    try await lists.deleteList(id: id, for: visit.member)
                }
            }
        )
    }

    private func page(
        _ visit: Visit,
        name: String = "",
        rejected: UserListRejected? = nil,
        upload: UserListUpload? = nil
    ) async throws -> Response {
        try site.page(
            "lists",
            UserListsPage(
                try await lists.lists(for: visit.member),
                name: name,
                rejected: rejected,
                upload: upload,
                visit: visit
            ),
            title: visit.words("lists.title"),
            place: .segments,
            visit: visit,
            status: rejected == nil ? .ok : .unprocessableContent
        )
    }

    private func upload(_ visit: Visit) async throws -> Response {
        let name = visit.form["name"].trimmingCharacters(in: .whitespaces)
        do {
            guard !name.isEmpty else {
                throw UserListRejected(field: .name, text: visit.words("fault.segment_name"))
            }
            guard let file = visit.files.first(where: { $0.field == "file" }),
                !file.bytes.isEmpty
            else { throw UserListRejected(field: .file, text: visit.words("fault.file")) }
            let upload = try await lists.upload(file.bytes, as: name, for: visit.member)
            return try await page(visit, upload: upload)
        } catch let rejected as UserListRejected {
            return try await page(visit, name: name, rejected: rejected)
        }
    }

    private func change(
        _ visit: Visit,
        _ parameters: Parameters,
        _ notice: Notice,
        _ body: (_ id: Int64, _ name: String) async throws -> Bool
    ) async throws -> Response {
        guard let id = parameters.get("list", as: Int64.self) else { throw PageProblem.notFound }
        let name = visit.form["name"].trimmingCharacters(in: .whitespaces)
        do {
            guard try await body(id, name) else { throw PageProblem.notFound }
        } catch let rejected as UserListRejected {
            return try await page(
                visit,
                rejected: UserListRejected(field: .list, text: rejected.text)
            )
        }
        return PageAnswer.redirect(to: notice.address(.lists))
    }
}
