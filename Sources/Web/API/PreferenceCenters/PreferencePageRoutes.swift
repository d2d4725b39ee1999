import Campaigns
import Foundation
import Front
import HTTPTypes
import Hummingbird
import Ingestion
import Model
import NIOCore
import NoroshiWire
import WebPages

/// `/preferences/…`: the pages for users. The signed link identifies the user, and only this server
/// can create one.
struct PreferencePageRoutes: Sendable {
    static let path = "/preferences"
    /// Maximum size of a form, in bytes.
    private static let formLimit = 64 * 1024

    let centers: PreferenceCenterService
    let ingestion: IngestionService
    let strangers: StrangerBodies
    let now: @Sendable () -> Date

    func add(to router: Router<some RequestContext>) {
        router.get("\(Self.path)/:token") { request, context in
            let token = try context.parameters.require("token")
            let page = try await centers.page(token, submitURL: "\(Self.path)/\(token)")
            return try Self.answer(page)
        }
        router.post("\(Self.path)/:token") { request, context in
            let token = try context.parameters.require("token")
            // An invalid link is rejected before the form is read.
            let submitURL = "\(Self.path)/\(token)"
            guard try await centers.page(token, submitURL: submitURL) != nil else {
                return try Self.answer(nil)
            }
            let form: ByteBuffer
            do {
                form = try await strangers.collect(request, upTo: Self.formLimit)
            } catch is NIOTooManyBytesError {
                throw APIError(
                    .contentTooLarge,
                    "the form is larger than \(Self.formLimit) bytes"
                )
            }
            let fields = FormFields(
                urlEncoded: String(decoding: form.readableBytesView, as: UTF8.self)
            )
            let choice: PreferenceCenterService.Choice?
            do {
                choice = try await centers.choice(token, fields.entries)
            } catch let error as ValidationError {
                let texts = error.problems.map(\.message)
                throw APIError(.badRequest, texts.joined(separator: "; "))
            }
            guard let choice else { return try Self.answer(nil) }
            try await store(choice)
            return try Self.answer(await centers.confirmation(token, submitURL: submitURL))
        }
    }

    private func store(_ choice: PreferenceCenterService.Choice) async throws {
        var changes: [String: JSONValue] = [:]
        if let email = choice.email {
            changes[StandardAttribute.emailSubscription.rawValue] = .string(email.rawValue)
        }
        if !choice.groups.isEmpty {
            changes[StandardAttribute.subscriptionGroups.rawValue] = .array(
                choice.groups.map { id, state in
                    [
                        "subscription_group_id": .string(id.uuidString.lowercased()),
                        "subscription_state": .string(state.rawValue),
                    ]
                }
            )
        }
        guard !changes.isEmpty else { return }
        let item = IngestItem(
            recordID: nil,
            user: .profile(choice.user),
            updatesExistingOnly: true,
            time: now(),
            content: .attributes(AttributeChanges(changes))
        )
        _ = try await submit(
            IngestRequest(workspace: choice.workspace, source: .api, items: [item]),
            to: ingestion
        )
    }

    /// The page's HTML comes from the workspace and is not trusted: no scripts run in it, it has no
    /// origin, and it can submit its form only to this server. Its URL is secret and is not sent as
    /// a referrer.
    private static let headers: HTTPFields = {
        var headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
            .contentSecurityPolicy:
                "sandbox allow-forms allow-popups; default-src 'none'; "
                + "style-src 'unsafe-inline'; img-src https: data:; font-src https: data:; "
                + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
            .xContentTypeOptions: "nosniff",
        ]
        if let name = HTTPField.Name("Referrer-Policy") { headers[name] = "no-referrer" }
        return headers
    }()

    private static func answer(_ page: PreferenceCenterService.Page?) throws -> Response {
        guard let page else {
            return Response(
                status: .notFound,
                headers: headers,
                body: ResponseBody(
                    byteBuffer: ByteBuffer(
                        string: document("Not found", nil, "<p>This link leads nowhere.</p>")
                    )
                )
            )
        }
        let start = page.body.prefix { $0.isWhitespace }.endIndex
        let head = page.body[start...].prefix(9).lowercased()
        let isWhole = head.hasPrefix("<!doctype") || head.hasPrefix("<html")
        let text = isWhole ? page.body : document(page.title, page.viewport, page.body)
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }

    private static func document(_ title: String, _ viewport: String?, _ body: String) -> String {
        let viewport = viewport ?? "width=device-width, initial-scale=1"
        return """
            <!doctype html>
            <html><head><meta charset="utf-8"><title>\(escaped(title))</title>
            <meta name="viewport" content="\(escaped(viewport))"></head>
            <body>\(body)</body></html>
            """
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
    }
}
