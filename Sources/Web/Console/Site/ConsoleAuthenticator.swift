import Accounts
import Crypto
import Foundation
import Front
import HTTPTypes
import Hummingbird
import Logging
import Model
import NIOCore
import WebPages

/// Authenticates and authorizes a console request, verifies its CSRF token, decodes the form and
/// renders errors as pages.
struct ConsoleAuthenticator: Sendable {
    static let sessionCookie = "noroshi_session"
    static let languageCookie = "noroshi_language"
    /// Default maximum size of a posted form, in bytes.
    static let formLimit = 1 << 20

    let site: ConsoleRenderer

    typealias Work = @Sendable (ConsoleContext, Parameters) async throws -> Response

    /// A handler for members whose role is at least `role`.
    func member<Context: RequestContext>(
        _ role: Member.Role = .viewer,
        limit: Int = ConsoleAuthenticator.formLimit,
        _ work: @escaping Work
    ) -> @Sendable (Request, Context) async throws -> Response {
        { request, requestContext in
            guard var context = try await context(request, requestContext, limit) else {
                return loginRedirect(request)
            }
            if context.lacksSecondFactor, !Self.isForSecondFactor(request) {
                return HTMLResponse.redirect(to: ConsolePath.secondFactor.path)
            }
            do {
                guard context.hasRole(atLeast: role) else { throw PageError.notAllowed }
                if request.method == .post {
                    try checkToken(request, context)
                }
                if let field = context.form.fieldWithNull { throw PageError.nullInField(field) }
                context.file = try await site.fileNotice(context)
                return try await work(context, requestContext.parameters)
            } catch let problem as PageError {
                return try problemPage(problem, context)
            } catch is NotAllowedError {
                return try problemPage(.notAllowed, context)
            } catch let refusal as RefusalError where refusal.code == .memberElsewhere {
                return try problemPage(.memberElsewhere, context)
            } catch let error as HTTPError where error.status == .badRequest {
                // A part of the address is not what names such a thing.
                return try problemPage(.notFound, context)
            } catch let error as StoreError where error.code == .unavailable {
                requestContext.logger.warning(
                    "a console page waits for the store",
                    metadata: [
                        "http.route": "\(requestContext.endpointPath ?? "none")",
                        "error": "\(error)",
                    ]
                )
                return try problemPage(.unavailable, context)
            } catch {
                requestContext.logger.error(
                    "a console page failed",
                    metadata: [
                        "http.route": "\(requestContext.endpointPath ?? "none")",
                        "error": "\(error)",
                    ]
                )
                return try problemPage(.failed, context)
            }
        }
    }

    /// Adds a page, or the handler of a form, for members with at least the given role.
    typealias Add = (ConsolePath, Member.Role, @escaping Work) -> Void

    func adder<Context: RequestContext>(
        of method: HTTPRequest.Method,
        to router: some RouterMethods<Context>
    ) -> Add {
        { path, role, work in
            router.on(RouterPath(path.path), method: method, use: member(role, work))
        }
    }

    func language(of request: Request) -> Language {
        if let cookie = request.cookies[Self.languageCookie],
            let language = Language(rawValue: cookie.value)
        {
            return language
        }
        return .preferred(acceptLanguage: request.headers[.acceptLanguage])
    }

    /// Decodes a simple form, or one with files. Texts have line feeds, whoever sent them.
    func form(
        of request: Request,
        limit: Int = ConsoleAuthenticator.formLimit
    ) async throws -> (fields: FormFields, files: [FormFile]) {
        let body: ByteBuffer
        do {
            body = try await request.wholeBody(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw HTTPError(.contentTooLarge, message: "a form has at most \(limit) bytes")
        }
        let type = request.headers[.contentType] ?? ""
        if let form = MultipartForm(Array(body.readableBytesView), contentType: type) {
            return (form.fields.withLineFeeds, form.files)
        }
        return (FormFields(urlEncoded: String(buffer: body)).withLineFeeds, [])
    }

    /// The fields of a client that is not logged in.
    func strangersForm(of request: Request) async throws -> FormFields {
        do {
            let body = try await site.settings.strangers.collect(
                request,
                upTo: StrangerBodies.form
            )
            return FormFields(urlEncoded: String(buffer: body))
        } catch is NIOTooManyBytesError {
            throw HTTPError(
                .contentTooLarge,
                message: "this form has at most \(StrangerBodies.form) bytes"
            )
        }
    }

    func cookie(_ name: String, _ value: String, seconds: Int) -> Cookie {
        Cookie(
            name: name,
            value: value,
            maxAge: seconds,
            path: "/",
            secure: site.settings.isSecure,
            httpOnly: true,
            sameSite: .lax
        )
    }

    /// A session's CSRF token: it can be computed only from the session's token, and does not
    /// reveal it.
    static func formToken(session: String) -> String {
        let digest = SHA256.hash(data: Array("noroshi form \(session)".utf8))
        return Data(digest).base64EncodedString()
    }

    /// Whether the browser reports that a page of another site has caused the request.
    static func isFromAnotherSite(_ request: Request) -> Bool {
        guard let name = HTTPField.Name("Sec-Fetch-Site") else { return false }
        guard let site = request.headers[name] else { return false }
        return site != "same-origin" && site != "none"
    }

    func sessionCookie(_ token: String) -> Cookie {
        cookie(Self.sessionCookie, token, seconds: Int(AccountService.sessionLength))
    }

    /// Whether the request is needed for setting up a second factor, or for going away, to another
    /// workspace too.
    private static func isForSecondFactor(_ request: Request) -> Bool {
        let path = request.uri.path
        return path == ConsolePath.secondFactor.path || path == ConsolePath.logout.path
            || path == ConsolePath.switchWorkspace.path
            || path.hasPrefix(ConsolePath.secondFactor.path + "/")
    }

    private func context(
        _ request: Request,
        _ requestContext: some RequestContext,
        _ limit: Int
    ) async throws -> ConsoleContext? {
        let address = site.settings.clientAddress.of(request, in: requestContext)
        guard let session = request.cookies[Self.sessionCookie]?.value,
            let found = try await site.services.accounts.session(token: session, from: address)
        else { return nil }
        let member = found.member
        let workspaces = try await site.services.workspaces.workspaces(of: member.id)
        // Taken out of the workspace since the session was read.
        guard
            let workspace = workspaces.first(where: { $0.workspace.id == member.workspace })?
                .workspace
        else { return nil }
        let form: (fields: FormFields, files: [FormFile]) =
            request.method == .post
            ? try await form(of: request, limit: limit) : (FormFields([]), [])
        return ConsoleContext(
            session: session,
            member: member,
            home: workspace.settings,
            workspaces: workspaces,
            zone: workspace.zone,
            words: site.book[language(of: request)],
            csrf: Self.formToken(session: session),
            address: request.uri.string,
            clientAddress: address,
            origin: origin(of: request),
            query: FormFields(urlEncoded: request.uri.query ?? ""),
            form: form.fields,
            files: form.files,
            now: site.settings.now(),
            hasProvidersFactor: found.session.hasSecondFactor
        )
    }

    func origin(of request: Request) -> String {
        let scheme = HTTPField.Name("X-Forwarded-Proto").flatMap { request.headers[$0] }
        let address = site.settings.linkOrigin.address(
            host: request.head.authority,
            forwardedScheme: scheme
        )
        return address?.description ?? ""
    }

    private func checkToken(_ request: Request, _ context: ConsoleContext) throws {
        let sent = context.form["csrf"]
        guard !Self.isFromAnotherSite(request), Self.isSame(sent, context.csrf) else {
            throw PageError.staleForm
        }
    }

    /// Compares in constant time.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        let pairs = zip(left.utf8, right.utf8)
        let difference = pairs.reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
        return left.utf8.count == right.utf8.count && difference == 0
    }

    private func loginRedirect(_ request: Request) -> Response {
        // After a posted form, return to the page with the form.
        let back =
            request.method == .get
            ? request.uri.string
            : request.headers[.referer].flatMap(URLComponents.init(string:)).map {
                $0.percentEncodedPath + ($0.percentEncodedQuery.map { "?" + $0 } ?? "")
            } ?? ""
        return HTMLResponse.redirect(
            to: ConsolePath.login.query(FormFields([]).setting("back", to: back))
        )
    }

    private func problemPage(_ problem: PageError, _ context: ConsoleContext) throws -> Response {
        let content = ErrorPage(problem, words: context.words)
        var response = try site.page(
            "problem",
            content,
            title: content.title,
            place: .overview,
            context: context,
            status: problem.status
        )
        if problem == .unavailable { response.headers[.retryAfter] = "5" }
        return response
    }
}
