import AsyncHTTPClient
import Foundation
import Liquid
import Logging
import Model
import NIOCore
import NIOHTTP1
import Ports
import Reasons
import Synchronization

/// Makes the calls of `connected_content`.
///
/// A template can name any address, so every call is checked here: http and https only, no
/// redirects, no address outside of the public network unless the settings allow it, and a
/// connection to exactly the address that was checked. Concurrent identical calls are made once,
/// and their response is cached for a while.
package final class ConnectedContentClient: ContentFetcher {
    /// Looks up a stored name and password.
    package typealias Credentials =
        @Sendable (_ name: String, WorkspaceID) async throws -> (user: String, password: String)?

    private enum Outcome: Sendable {
        case answer(ConnectedContentResponse)
        case failure(Reason, status: Int = 0)
        case refusal(Reason)
    }

    private let settings: ConnectedContentSettings
    private let credentials: Credentials
    private let addresses: ResolvedAddressCache
    private let clients: PinnedClients
    private let gate: HostConcurrencyLimiter
    private let cache: ContentCache
    private let logger: Logger
    private let now: @Sendable () -> Date
    /// Calls in progress, shared with other callers of the same.
    private let flights = Mutex<[ContentKey: Task<Outcome, Never>]>([:])

    package init(
        settings: ConnectedContentSettings = ConnectedContentSettings(),
        resolver: any NameResolver,
        eventLoops: any EventLoopGroup,
        credentials: @escaping Credentials,
        logger: Logger,
        now: @escaping @Sendable () -> Date
    ) {
        self.settings = settings
        self.credentials = credentials
        self.logger = logger
        self.now = now
        addresses = ResolvedAddressCache(resolver: resolver, settings: settings, now: now)
        clients = PinnedClients(eventLoops: eventLoops, settings: settings)
        gate = HostConcurrencyLimiter(
            limit: settings.callsPerHost,
            waitingLimit: settings.waitingPerHost
        )
        cache = ContentCache(limit: settings.cacheBytes)
    }

    /// Number of bytes of cached responses.
    package var cachedBytes: Int { cache.bytes }

    package func shutDown() async {
        await clients.shutDown()
    }

    package func fetch(
        _ request: ConnectedContentRequest,
        for workspace: WorkspaceID
    ) async throws -> ConnectedContentResponse {
        let key = ContentKey(request, workspace)
        let age = request.cacheSeconds ?? (request.method == "GET" ? settings.cacheSeconds : 0)
        if age > 0, let response = cache.response(to: key, noOlderThan: age, now: now()) {
            return response
        }
        // A call that may have side effects is made once per caller, unless its response is cached.
        let isShared = request.method == "GET" || age > 0
        let flight = isShared ? sharedFlight(key, request) : Task { await make(request, workspace) }
        switch try await outcome(of: flight) {
        case .answer(let response):
            if age > 0, (200..<300).contains(response.status) {
                cache.store(response, for: key, now: now())
            }
            return response
        case .failure(let reason, let status):
            guard !request.retries else { throw ContentFetchError.unavailable(reason) }
            return ConnectedContentResponse(status: status, body: [])
        case .refusal(let reason):
            throw ContentFetchError.refused(reason)
        }
    }

    private func sharedFlight(
        _ key: ContentKey,
        _ request: ConnectedContentRequest
    ) -> Task<Outcome, Never> {
        flights.withLock { flights in
            if let flight = flights[key] { return flight }
            let flight = Task {
                let outcome = await make(request, key.workspace)
                self.flights.withLock { $0[key] = nil }
                return outcome
            }
            flights[key] = flight
            return flight
        }
    }

    /// Waits for a call in progress, or until the caller is cancelled.
    private func outcome(of flight: Task<Outcome, Never>) async throws -> Outcome {
        let first = OneShotResult<Outcome>()
        Task { first.offer(.success(await flight.value)) }
        return try await first.value()
    }

    private func make(
        _ request: ConnectedContentRequest,
        _ workspace: WorkspaceID
    ) async -> Outcome {
        do {
            var pair: (user: String, password: String)?
            if let name = request.basicAuth {
                pair = try await credentials(name, workspace)
                guard pair != nil else {
                    return .refusal(.init(ContentCallReason.noCredentials, ["name": .text(name)]))
                }
            }
            let call = try ContentCall(request, credentials: pair)
            let place = "\(call.address.host):\(call.address.port)"
            guard await gate.enter(place) else {
                return .failure(.init(ContentCallReason.tooManyWaiting, ["host": .text(place)]))
            }
            defer { gate.leave(place) }
            return try await within(settings.timeLimit) { try await self.answer(to: call) }
                ?? .failure(
                    .init(ContentCallReason.noAnswerWithin, ["time": "\(settings.timeLimit)"])
                )
        } catch ContentFetchError.refused(let reason) {
            return .refusal(reason)
        } catch ContentFetchError.unavailable(let reason) {
            return .failure(reason)
        } catch is NIOTooManyBytesError {
            return .failure(.init(ContentCallReason.tooLarge, ["count": "\(settings.bodyLimit)"]))
        } catch {
            return .failure(.init(ContentCallReason.failed, ["reason": "\(error)"]))
        }
    }

    private func answer(to call: ContentCall) async throws -> Outcome {
        let address: IPAddress
        switch try await addresses.entry(for: call.address) {
        case .address(let found): address = found
        case .refused(let reason, let details):
            logger.warning(
                "an address that may not be called was asked for",
                metadata: ["connected-content.reason": "\(details)"]
            )
            return .refusal(reason)
        case .unknown:
            return .failure(
                .init(ContentCallReason.noHostAddress, ["host": .text(call.address.host)])
            )
        }
        return try await clients.withClient(for: call.address.host, at: address) { client in
            let response = try await client.execute(
                call.request,
                deadline: .now() + TimeAmount(settings.timeLimit)
            )
            let status = Int(response.status.code)
            guard status < 500 else {
                return .failure(
                    .init(
                        ContentCallReason.hostAnswered,
                        ["host": .text(call.address.host), "status": "\(status)"]
                    ),
                    status: status
                )
            }
            let body = try await response.body.collect(upTo: settings.bodyLimit)
            return .answer(
                ConnectedContentResponse(status: status, body: Array(body.readableBytesView))
            )
        }
    }
}
