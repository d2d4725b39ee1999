import Foundation
@_spi(Testing) import NoroshiOutbox
import NoroshiWire

extension Noroshi {
    /// Reads from the server with the SDK key: `GET {endpoint}/{path}`.
    package func fetch(_ path: String, query: [String: String]) async throws -> Data {
        var headers: [String: String] = [:]
        if configuration.api.sdkAuthentication, let state = recorder.state,
            let user = state.externalID, let signature = state.signatures[user]
        {
            headers[SDKBatch.signatureHeader] = signature
        }
        return try await ask(
            NoroshiRequest(method: "GET", url: try address(path, query), headers: headers)
        )
    }

    /// Sends JSON to the server with the SDK key: `POST {endpoint}/{path}`.
    func post(_ path: String, _ body: some Encodable) async throws {
        _ = try await ask(
            NoroshiRequest(
                url: try address(path, [:]),
                headers: ["Content-Type": "application/json"],
                body: try JSONEncoder().encode(body)
            )
        )
    }

    private func address(_ path: String, _ query: [String: String]) throws -> URL {
        guard
            let base = configuration.api.url,
            var components = URLComponents(
                url: base.appendingPathComponent(path),
                resolvingAgainstBaseURL: false
            )
        else {
            throw NoroshiError(
                code: .configuration,
                field: "endpoint",
                message: "\(configuration.api.endpoint) is not the address of a server"
            )
        }
        if !query.isEmpty {
            components.queryItems = query.sorted { $0.key < $1.key }
                .map { URLQueryItem(name: $0.key, value: $0.value) }
            // In a query a plus sign means a space; Foundation leaves its encoding to the caller.
            components.percentEncodedQuery = components.percentEncodedQuery?
                .replacingOccurrences(of: "+", with: "%2B")
        }
        guard let url = components.url else {
            throw NoroshiError(code: .configuration, message: "\(path) makes no address")
        }
        return url
    }

    /// The body of the answer to a request, which gets the SDK key.
    private func ask(_ request: NoroshiRequest) async throws -> Data {
        var request = request
        request.headers["Authorization"] = "Bearer \(configuration.api.key)"
        let response: NoroshiResponse
        do {
            response = try await recorder.dependencies.transport.send(request)
        } catch {
            throw NoroshiError(code: .network, message: "\(error)")
        }
        guard response.status == 200 else {
            let failure = try? JSONDecoder().decode(SDKFailure.self, from: response.body)
            throw NoroshiError(
                code: .server,
                message: failure?.message ?? "the server answered \(response.status)"
            )
        }
        return response.body
    }
}
