import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The transport over Foundation's URL loading system, without cookies and caches.
public struct URLSessionTransport: NoroshiTransport {
    private let session: URLSession

    /// A transport with its own session.
    public init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.httpMaximumConnectionsPerHost = 2
        session = URLSession(configuration: configuration)
    }

    /// Sends `request`; throws the error of the URL loading system if no response was received.
    public func send(_ request: NoroshiRequest) async throws -> NoroshiResponse {
        var urlRequest = URLRequest(url: request.url, timeoutInterval: request.timeout)
        urlRequest.httpMethod = request.method
        urlRequest.httpBody = request.body
        for (name, value) in request.headers {
            urlRequest.setValue(value, forHTTPHeaderField: name)
        }
        let (data, response) = try await session.data(for: urlRequest)
        guard let response = response as? HTTPURLResponse else {
            throw NoroshiError(code: .network, message: "\(request.url) did not answer in HTTP")
        }
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            headers[String(describing: name).lowercased()] = String(describing: value)
        }
        return NoroshiResponse(status: response.statusCode, headers: headers, body: data)
    }
}
