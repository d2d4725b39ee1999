import Crypto
import Synchronization

/// The server's key pairs for message encryption, and what was agreed with them.
///
/// RFC 8291 has the server make a new pair for every message, and so it is with a lifetime of zero.
/// With a longer one, a pair serves all messages of that time, and the secret agreed with each
/// subscription is kept as long: a second push to the same browser then costs no arithmetic on the
/// curve. Every message still has a random salt of its own, and with it a key and nonce of its own.
/// What is given up is that somebody who reads this process's memory could, until the pair is
/// forgotten, also read what was sent with it before.
package final class WebPushSenderKeys: Sendable {
    /// Maximum lifetime of a pair.
    package static let maxLifetime: Duration = .seconds(3600)

    private struct Subscription: Hashable {
        var publicKey: String
        var authenticationSecret: String
    }

    private struct Period {
        var pair: WebPushKeyPair
        var end: ContinuousClock.Instant
        var agreed: [Subscription: SymmetricKey] = [:]
    }

    private let lifetime: Duration
    private let capacity: Int
    private let now: @Sendable () -> ContinuousClock.Instant
    private let current = Mutex<Period?>(nil)

    /// - Parameters:
    ///   - lifetime: How long a pair is used; zero for one message only.
    ///   - capacity: Number of subscriptions whose agreed secrets are cached, at about 300 bytes
    ///     each.
    package init(
        lifetime: Duration = .zero,
        capacity: Int = 50_000,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        self.lifetime = min(max(.zero, lifetime), Self.maxLifetime)
        self.capacity = max(1, capacity)
        self.now = now
    }

    /// Encrypts one message.
    package func encrypt(_ message: WebPushMessage) throws -> [UInt8] {
        guard lifetime > .zero else {
            return try WebPushEncryption(WebPushSubscriptionKeys(message))
                .encrypt(message.content)
        }
        let subscription = Subscription(
            publicKey: message.publicKey,
            authenticationSecret: message.authenticationSecret
        )
        let (pair, known) = try period(for: subscription)
        let agreed: SymmetricKey
        if let known {
            agreed = known
        } else {
            // Outside of the lock, because it takes longer than everything else.
            agreed = try WebPushEncryption(WebPushSubscriptionKeys(message)).agree(pair)
            remember(agreed, for: subscription, pair)
        }
        return try EncryptedContent.encryptRecord(
            message.content,
            inputKey: agreed,
            salt: WebPushEncryption.makeSalt(),
            keyID: pair.publicKey
        )
    }

    private func period(
        for subscription: Subscription
    ) throws -> (pair: WebPushKeyPair, agreed: SymmetricKey?) {
        let date = now()
        return try current.withLock { current in
            if let period = current, date < period.end {
                return (period.pair, period.agreed[subscription])
            }
            let pair = try WebPushKeyPair()
            current = Period(pair: pair, end: date + lifetime)
            return (pair, nil)
        }
    }

    private func remember(
        _ agreed: SymmetricKey,
        for subscription: Subscription,
        _ pair: WebPushKeyPair
    ) {
        current.withLock { current in
            // Another pair may have replaced this one meanwhile.
            guard current?.pair.publicKey == pair.publicKey else { return }
            if current?.agreed.count ?? 0 >= capacity { current?.agreed = [:] }
            current?.agreed[subscription] = agreed
        }
    }
}
