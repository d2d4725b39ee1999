import Foundation
import Front
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import Reasons
import ServiceLifecycle
import StoreSQL
import Synchronization

/// A server that waits until it may work on the database: servers of an earlier version are still at work, or a
/// command has it to itself. At its address it says that it lives and is not ready, so that a balancer sends
/// nobody to it.
final class Standby: Sendable {
    /// How the address is listened on, until somebody ends it.
    private struct Listening {
        var group: ServiceGroup
        var task: Task<Void, Never>
        var signs: Task<Void, Never>?
    }

    private struct State {
        /// What it waits for; `nil` before it waits.
        var sentence: String?
        var listening: Listening?
        var failure: (any Error)?
    }

    private let settings: Settings
    private let certificate: ServerCertificate?
    private let manager: ServiceManagerLink?
    private let logger: Logger
    private let state = Mutex(State())

    init(_ settings: Settings, certificate: ServerCertificate?, _ logger: Logger) {
        self.settings = settings
        self.certificate = certificate
        self.logger = logger
        manager = ServiceManagerLink(settings, logger)
    }

    /// Whether it has begun to wait.
    var hasBegun: Bool { state.withLock { $0.sentence != nil } }

    // MARK: What it waits for

    /// - Parameter sentence: Who works on the database.
    func note(_ sentence: String) {
        guard isNews(sentence) else { return }
        logger.notice(
            "standby: waits for those that have the database",
            metadata: [
                "database": "\(settings.database.name)", "database.holder": "\(sentence)",
            ]
        )
    }

    /// - Parameter trouble: Why nobody can say who has the database.
    func note(trouble: String) {
        guard isNews(trouble) else { return }
        logger.warning(
            "standby: waits for the database",
            metadata: ["database.trouble": "\(trouble)"]
        )
    }

    private func isNews(_ sentence: String) -> Bool {
        state.withLock { state in
            defer { state.sentence = sentence }
            return state.sentence != sentence
        }
    }

    // MARK: Waiting

    /// Waits a moment; the first time it begins to listen.
    ///
    /// - Throws: `SettingError` if the address cannot be listened on.
    func pause() async throws {
        listen()
        if let failure = state.withLock(\.failure) { throw failure }
        try await Task.sleep(for: .milliseconds(250))
    }

    /// Gives the address up, for the server that this one becomes.
    func end() async {
        let listening = state.withLock { state in
            defer { state.listening = nil }
            return state.listening
        }
        guard let listening else { return }
        listening.signs?.cancel()
        await listening.group.triggerGracefulShutdown()
        await listening.task.value
    }

    private func listen() {
        state.withLock { state in
            guard state.listening == nil else { return }
            let group = ServiceGroup(
                configuration: ServiceGroupConfiguration(services: [listener], logger: logger)
            )
            state.listening = Listening(
                group: group,
                task: Task { [self] in
                    do {
                        try await group.run()
                    } catch {
                        let problem = NoroshiServer.problem(error, settings)
                        self.state.withLock { $0.failure = problem }
                    }
                },
                signs: manager.map { manager in Task { await manager.giveSignsOfLife() } }
            )
        }
    }

    private var listener: StopDeadline {
        let front = FrontDoor(settings.front, certificate: certificate)
        let responder = CallbackResponder<BasicRequestContext> { [self] request, _ in
            answer(to: request.uri.path)
        }
        let http = Application(
            responder: responder,
            server: front.server,
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port),
                serverName: "Noroshi"
            ),
            onServerRunning: { [manager, settings] channel in
                let port = channel.localAddress?.port ?? 0
                manager?.standby(address: "\(settings.host):\(port)")
            },
            logger: logger
        )
        return StopDeadline(
            inner: http,
            places: front.places,
            seconds: 1,
            mayExit: false,
            logger: logger
        )
    }

    private func answer(to path: String) -> Response {
        let text = "standby: \(state.withLock(\.sentence) ?? "waits for the database")\n"
        var response = Response(
            status: path == "/health" ? .ok : .serviceUnavailable,
            headers: [.contentType: "text/plain; charset=utf-8"]
        )
        switch path {
        case "/health":
            response.body = ResponseBody(
                byteBuffer: ByteBuffer(string: "ok\nversion: \(BuildInfo.version)\n" + text)
            )
        case "/ready": response.body = ResponseBody(byteBuffer: ByteBuffer(string: text))
        default:
            // Whoever comes here by mistake need not know who has the database.
            response.body = ResponseBody(byteBuffer: ByteBuffer(string: "standby\n"))
        }
        if response.status != .ok { response.headers[.retryAfter] = "5" }
        return response
    }
}
