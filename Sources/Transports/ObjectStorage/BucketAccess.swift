import AsyncHTTPClient
import Foundation
import NIOCore
import NIOSSL

/// What is needed to use the buckets of a store.
package struct BucketAccess: Sendable, Hashable {
    package let endpoint: BucketEndpoint
    package let credentials: BucketCredentials

    package init(endpoint: BucketEndpoint, credentials: BucketCredentials) {
        self.endpoint = endpoint
        self.credentials = credentials
    }

    /// Runs `work` with a client of one bucket, whose connections are closed afterwards.
    ///
    /// - Parameters:
    ///   - now: The time that requests are signed with.
    ///   - trust: Whose certificates are taken.
    ///   - pause: Waits before another try.
    package func withBucket<Value: Sendable>(
        _ bucket: String,
        now: @escaping @Sendable () -> Date,
        trust: NIOSSLTrustRoots = .default,
        pause: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        },
        _ work: (BucketClient) async throws -> Value
    ) async throws -> Value {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = trust
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls,
            // A signature is for one host: where another is named, the settings are wrong.
            redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(10), read: .seconds(60), write: .seconds(60)),
            decompression: .disabled
        )
        configuration.httpVersion = .http1Only
        // The client counts its own tries.
        configuration.connectionPool.retryConnectionEstablishment = false
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let client = BucketClient(
            bucket: bucket,
            access: self,
            http: http,
            now: now,
            pause: pause
        )
        let result: Result<Value, any Error>
        do {
            result = .success(try await work(client))
        } catch {
            result = .failure(error)
        }
        // Failing to close connections loses nothing.
        try? await http.shutdown()
        return try result.get()
    }
}
