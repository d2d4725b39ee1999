import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import WebPages

/// The pages of the virtual phones. They have no login: a server has them only for demonstrations,
/// and then listens on the local machine.
package struct PhoneRoutes: Sendable {
    private static let actionLimit = 1 << 16
    /// An in-app message may be a page of its own.
    private static let guestLimit = 1 << 20
    /// How far the clock is moved at a time, in seconds.
    private static let clockLimit = 31.0 * 86_400

    private let host: any PhoneHost
    private let templates: TemplateLibrary
    private let book: Localizations
    private let assets: AssetURLs
    private let consoleAddress: String

    /// - Throws: ``WebFileError`` if the embedded files are invalid.
    package init(
        host: any PhoneHost,
        consoleAddress: String,
        files: WebFiles = .embedded
    ) throws {
        self.host = host
        self.consoleAddress = consoleAddress
        templates = try TemplateLibrary(files: files.folder("Phones/Templates"))
        book = try Localizations(files: files.folder("Phones/Words"))
        assets = AssetURLs(files)
    }

    package func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(RouterPath(PhonePath.phones.path)) { _, _ in
            guard let first = await host.phones().first else {
                return Response(status: .notFound)
            }
            return HTMLResponse.redirect(to: PhonePath.phone(first.id).path)
        }
        router.post(RouterPath(PhonePath.phones.path)) { request, _ in
            guard Self.isOwnPage(request) else { return Response(status: .forbidden) }
            let id = try await host.addPhone(language: language(of: request).rawValue)
            return HTMLResponse.redirect(to: PhonePath.phone(id).path)
        }
        router.post(RouterPath(PhonePath.clock.path)) { request, _ in
            guard Self.isOwnPage(request) else { return Response(status: .forbidden) }
            let body = try await request.body.collect(upTo: Self.actionLimit)
            guard
                let jump = try? JSONDecoder().decode(
                    PhoneClockJump.self,
                    from: Data(body.readableBytesView)
                ), (1...Self.clockLimit).contains(jump.seconds)
            else { return Response(status: .badRequest) }
            try await host.moveClock(by: jump.seconds)
            return Response(status: .noContent)
        }
        router.post(RouterPath(PhonePath.guests.path)) { request, _ in
            guard Self.isOwnPage(request) else { return Response(status: .forbidden) }
            let body = try await request.body.collect(upTo: Self.guestLimit)
            guard
                let guest = try? JSONDecoder().decode(
                    PhoneGuest.self,
                    from: Data(body.readableBytesView)
                ), guest.isComplete
            else { return Response(status: .badRequest) }
            let id = try await host.phone(
                for: guest.user,
                language: language(of: request).rawValue
            )
            if let message = guest.message { try await host.show(message, on: id) }
            return HTMLResponse.json(
                try JSONEncoder().encode(PhonePlace(address: PhonePath.phone(id).path))
            )
        }
        router.get(RouterPath(PhonePath.phone(":phone").path)) { request, context in
            let id = try context.parameters.require("phone")
            guard let state = await host.state(of: id) else { return Response(status: .notFound) }
            let page = PhonePage(
                state: state,
                phones: await host.phones(),
                language: language(of: request),
                book: book,
                assets: assets,
                consoleAddress: consoleAddress
            )
            return HTMLResponse.html(try templates.render("phone", page))
        }
        router.get(RouterPath(PhonePath.message(":phone").path)) { _, context in
            let id = try context.parameters.require("phone")
            guard let message = await host.state(of: id)?.message, message.kind == "html" else {
                return Response(status: .notFound)
            }
            return HTMLResponse.sandbox(message.text)
        }
        router.post(RouterPath(PhonePath.week(":phone").path)) { request, context in
            guard Self.isOwnPage(request) else { return Response(status: .forbidden) }
            let id = try context.parameters.require("phone")
            guard await host.state(of: id) != nil else { return Response(status: .notFound) }
            await host.playWeek(on: id)
            return Response(status: .accepted)
        }
        router.get(RouterPath(PhonePath.week(":phone").path)) { request, context in
            guard let week = await host.week(on: try context.parameters.require("phone")) else {
                return Response(status: .notFound)
            }
            let part = PhoneWeekPart(week, book[language(of: request)])
            return HTMLResponse.html(try templates.render("week", part))
        }
        router.get(RouterPath(PhonePath.pictures(":phone").path)) { request, context in
            guard
                let picture = await host.picture(
                    of: try context.parameters.require("phone"),
                    notification: try request.uri.queryParameters.require("notification"),
                    page: try request.uri.queryParameters.require("page", as: Int.self)
                )
            else { return Response(status: .notFound) }
            return Response(
                status: .ok,
                headers: [
                    .contentType: picture.mediaType, .xContentTypeOptions: "nosniff",
                    .contentSecurityPolicy: "sandbox; default-src 'none'",
                ],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: picture.bytes))
            )
        }
        router.get(RouterPath(PhonePath.changes(":phone").path)) { _, context in
            let id = try context.parameters.require("phone")
            guard await host.state(of: id) != nil else { return Response(status: .notFound) }
            return EventStream.response { await events(of: id) }
        }
        router.post(RouterPath(PhonePath.actions(":phone").path)) { request, context in
            guard Self.isOwnPage(request) else { return Response(status: .forbidden) }
            let id = try context.parameters.require("phone")
            let body = try await request.body.collect(upTo: Self.actionLimit)
            guard
                let action = try? JSONDecoder().decode(
                    PhoneAction.self,
                    from: Data(body.readableBytesView)
                )
            else { return Response(status: .badRequest) }
            try await host.perform(action, on: id)
            return Response(status: .noContent)
        }
    }

    private func events(of id: String) async -> AsyncStream<ServerEvent> {
        let states = await host.changes(of: id)
        return AsyncStream(bufferingPolicy: .bufferingNewest(8)) { continuation in
            let work = Task {
                for await state in states {
                    if let event = try? ServerEvent(name: "state", value: state) {
                        continuation.yield(event)
                    }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in work.cancel() }
        }
    }

    private func language(of request: Request) -> Language {
        .preferred(acceptLanguage: request.headers[.acceptLanguage])
    }

    /// Browsers report the origin of a request; pages of other sites may not perform actions here.
    private static func isOwnPage(_ request: Request) -> Bool {
        guard let name = HTTPField.Name("Sec-Fetch-Site"),
            let site = request.headers[name]
        else { return true }
        return site == "same-origin" || site == "none"
    }
}

/// How far the clock is to be moved.
private struct PhoneClockJump: Decodable {
    let seconds: Double
}
