import Foundation
import Liquid
import Model
import Ports
import Reasons
import Synchronization

/// Asks providers over HTTP, and keeps for a while what they publish.
package final class OpenIDProviderClient: Sendable {
    /// How long what a provider publishes is kept, in seconds.
    static let keptFor: TimeInterval = 3_600
    /// Keys are read again for an unknown one no sooner than this many seconds after the last time:
    /// strangers can write any key's name into a token.
    static let refreshPause: TimeInterval = 60
    private static let keptLimit = 64

    private struct Published: Sendable {
        var metadata: OpenIDMetadata
        var keys: OpenIDKeys
        var readAt: Date
        var keysReadAt: Date
    }

    private let fetcher: any ContentFetcher
    private let now: @Sendable () -> Date
    private let published = Mutex<[String: Published]>([:])

    /// - Parameter fetcher: Follows no redirects, and calls only addresses that it may.
    package init(fetcher: any ContentFetcher, now: @escaping @Sendable () -> Date) {
        self.fetcher = fetcher
        self.now = now
    }

    /// What a provider publishes now.
    func read(
        _ issuer: String,
        for workspace: WorkspaceID
    ) async throws -> (metadata: OpenIDMetadata, keys: OpenIDKeys) {
        let metadata = try OpenIDMetadata(
            await get(OpenIDMetadata.address(of: issuer), for: workspace),
            of: issuer
        )
        let keys = try await keys(at: metadata.keysAddress, for: workspace)
        let time = now()
        published.withLock { published in
            if published.count >= Self.keptLimit { published.removeAll() }
            published[issuer] = Published(
                metadata: metadata,
                keys: keys,
                readAt: time,
                keysReadAt: time
            )
        }
        return (metadata, keys)
    }

    func metadata(
        of issuer: String,
        for workspace: WorkspaceID
    ) async throws -> OpenIDMetadata {
        if let kept = kept(issuer) { return kept.metadata }
        return try await read(issuer, for: workspace).metadata
    }

    /// Verifies an ID token. If its key is unknown, the keys are read again, but not often.
    func verify(
        _ token: String,
        by verifier: IDTokenVerifier,
        of issuer: String,
        for workspace: WorkspaceID
    ) async throws -> OpenIDPerson {
        guard let kept = kept(issuer) else {
            return try verifier.verify(token, keys: await read(issuer, for: workspace).keys)
        }
        do {
            return try verifier.verify(token, keys: kept.keys)
        } catch {
            let time = now()
            guard error.code == .keyUnknown,
                time.timeIntervalSince(kept.keysReadAt) >= Self.refreshPause
            else { throw error }
            let keys = try await keys(at: kept.metadata.keysAddress, for: workspace)
            published.withLock { published in
                published[issuer]?.keys = keys
                published[issuer]?.keysReadAt = time
            }
            return try verifier.verify(token, keys: keys)
        }
    }

    /// Exchanges a code for the ID token (OpenID Connect Core 1.0, section 3.1.3).
    ///
    /// - Returns: The ID token, and the access token for the user info.
    func exchange(
        _ code: String,
        verifier: String,
        redirect: String,
        at metadata: OpenIDMetadata,
        client: (id: String, secret: String),
        for workspace: WorkspaceID
    ) async throws -> (idToken: String, accessToken: String?) {
        struct Answer: Decodable {
            var id_token: String?
            var access_token: String?
            var error: String?
        }
        var fields = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect),
            ("code_verifier", verifier),
        ]
        var request = ConnectedContentRequest(url: metadata.tokenEndpoint)
        request.method = "POST"
        request.contentType = "application/x-www-form-urlencoded"
        switch metadata.clientAuthentication {
        case .basic:
            // Both are encoded as in a form first (RFC 6749, section 2.3.1).
            let pair = "\(FormText.encoded(client.id)):\(FormText.encoded(client.secret))"
            request.headers["Authorization"] = "Basic \(Data(pair.utf8).base64EncodedString())"
        case .post: fields += [("client_id", client.id), ("client_secret", client.secret)]
        }
        request.body = FormText.text(fields)
        let response = try await call(request, for: workspace)
        let answer = try? JSONDecoder().decode(Answer.self, from: Data(response.body))
        guard response.status == 200, let answer else {
            if let error = answer?.error {
                throw OpenIDError(.providerError, ["error": .text(Self.plain(error))])
            }
            throw Self.answered(metadata.tokenEndpoint, response.status)
        }
        guard let token = answer.id_token else {
            throw OpenIDError(.missing, ["name": "id_token"])
        }
        return (token, answer.access_token)
    }

    /// The address of a person whose ID token has none (section 5.3 there).
    func adding(
        userInfoTo person: OpenIDPerson,
        accessToken: String,
        at address: String,
        for workspace: WorkspaceID
    ) async throws -> OpenIDPerson {
        let bytes = try await get(
            address,
            headers: ["Authorization": "Bearer \(accessToken)"],
            for: workspace
        )
        guard let profile = try? JSONDecoder().decode(OpenIDProfile.self, from: Data(bytes)) else {
            throw OpenIDError(.notJSON, ["address": .text(address)])
        }
        guard profile.sub == person.subject.subject else { throw OpenIDError(.otherSubject) }
        var person = person
        person.email = profile.email
        person.isEmailVerified = profile.isEmailVerified
        person.name = person.name ?? profile.name
        return person
    }

    /// An error's name by a provider, which is a stranger's text, as far as it is one (RFC 6749,
    /// section 5.2).
    static func plain(_ error: String) -> String {
        String(
            String.UnicodeScalarView(
                error.unicodeScalars.filter { (0x20...0x7E).contains($0.value) }
            ).prefix(100)
        )
    }

    private func kept(_ issuer: String) -> Published? {
        let time = now()
        return published.withLock { $0[issuer] }.flatMap {
            time.timeIntervalSince($0.readAt) < Self.keptFor ? $0 : nil
        }
    }

    private func keys(at address: String, for workspace: WorkspaceID) async throws -> OpenIDKeys {
        try OpenIDKeys(await get(address, for: workspace), from: address)
    }

    private func get(
        _ address: String,
        headers: [String: String] = [:],
        for workspace: WorkspaceID
    ) async throws -> [UInt8] {
        var request = ConnectedContentRequest(url: address)
        request.headers = headers.merging(["Accept": "application/json"]) { own, _ in own }
        let response = try await call(request, for: workspace)
        guard response.status == 200 else { throw Self.answered(address, response.status) }
        return response.body
    }

    private func call(
        _ request: ConnectedContentRequest,
        for workspace: WorkspaceID
    ) async throws -> ConnectedContentResponse {
        var request = request
        request.cacheSeconds = 0
        // So that a failure comes with its reason.
        request.retries = true
        do {
            return try await fetcher.fetch(request, for: workspace)
        } catch let error as ContentFetchError {
            throw OpenIDError(
                .unreachable,
                ["address": .text(request.url), "reason": .reason(error.reason)]
            )
        }
    }

    private static func answered(_ address: String, _ status: Int) -> OpenIDError {
        OpenIDError(.answered, ["address": .text(address), "status": "\(status)"])
    }
}

/// The form of `application/x-www-form-urlencoded`.
enum FormText {
    static func encoded(_ text: String) -> String {
        var plain = CharacterSet(charactersIn: "a"..."z")
        plain.insert(charactersIn: "A"..."Z")
        plain.insert(charactersIn: "0"..."9")
        plain.insert(charactersIn: "-._~")
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }

    static func text(_ fields: [(String, String)]) -> String {
        fields.map { "\(encoded($0.0))=\(encoded($0.1))" }.joined(separator: "&")
    }
}
