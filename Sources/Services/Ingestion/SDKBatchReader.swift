import Foundation
import Model
import NoroshiWire
import Ports

/// Turns what an SDK sends into items to store, checked field by field.
package enum SDKBatchReader {
    /// The items to store, and the records that never will be, each with its reason.
    package static func read(
        _ batch: SDKBatch,
        now: Date
    ) -> (items: [IngestItem], rejections: [SDKRejection]) {
        var items: [IngestItem] = []
        var rejections: [SDKRejection] = []
        for record in batch.records {
            do {
                items.append(try item(record, now: now))
            } catch {
                rejections.append(
                    SDKRejection(id: record.id, field: error.field, message: error.message)
                )
            }
        }
        return (items, rejections)
    }

    private static func item(_ record: SDKRecord, now: Date) throws(FieldProblem) -> IngestItem {
        let user: UserReference
        switch record.user {
        case .external(let id):
            try FieldRule.externalID(id)
            user = .external(id)
        case .anonymous(let id):
            user = .anonymous(id)
        }
        // A device's clock may be ahead; what it reports has happened by now.
        let time = min(Date(milliseconds: record.timeMilliseconds), now)
        return IngestItem(
            recordID: record.id,
            user: user,
            time: time,
            content: try content(record.content, time: time)
        )
    }

    private static func content(
        _ content: SDKRecord.Content,
        time: Date
    ) throws(FieldProblem) -> IngestItem.Content {
        switch content {
        case .event(let name, let properties):
            try FieldRule.eventName(name)
            return .event(name: name, properties: try FieldRule.properties(properties))
        case .purchase(let product, let currency, let price, let quantity, let properties):
            try FieldRule.purchase(product, currency, quantity)
            return .purchase(
                product: product,
                currency: currency,
                price: price,
                quantity: quantity,
                properties: try FieldRule.properties(properties)
            )
        case .attributes(let values, let mergeObjects):
            return .attributes(AttributeChanges(values, mergesObjects: mergeObjects))
        case .userChanged(let previous):
            switch previous {
            case .external(let id): return .userChanged(previous: .external(id))
            case .anonymous(let id): return .userChanged(previous: .anonymous(id))
            }
        case .alias(let name, let label):
            try FieldRule.alias(name: name, label: label)
            return .alias(name: name, label: label)
        case .sessionStarted: return .sessionStarted
        case .sessionEnded(let duration): return .sessionEnded(duration: duration)
        case .pushToken(let token): return .pushRegistered(try registration(token, time))
        case .pushTokenCleared: return .pushCleared
        case .push(let interaction): return .pushInteraction(interaction)
        case .inAppMessage(let interaction): return .inAppMessage(interaction)
        }
    }

    private static func registration(
        _ token: SDKRecord.PushToken,
        _ time: Date
    ) throws(FieldProblem) -> PushRegistration {
        guard let provider = PushProvider(rawValue: token.provider) else {
            throw FieldProblem("token.provider", "send apns, fcm or webpush")
        }
        guard let authorization = PushAuthorization(rawValue: token.authorization) else {
            throw FieldProblem(
                "token.authorization",
                "send authorized, provisional, ephemeral, denied or notDetermined"
            )
        }
        guard (1...4096).contains(token.token.utf8.count) else {
            throw FieldProblem("token.token", "has 1 to 4096 bytes")
        }
        var environment: APNsEnvironment?
        if provider == .apns {
            guard token.token.allSatisfy(\.isHexDigit) else {
                throw FieldProblem("token.token", "send the device token in hexadecimal digits")
            }
            environment = token.environment.flatMap(APNsEnvironment.init)
            guard environment != nil else {
                throw FieldProblem("token.environment", "send production or sandbox")
            }
        }
        var (publicKey, secret) = (token.publicKey, token.authenticationSecret)
        if provider == .webPush {
            (publicKey, secret) = try WebPushSubscriptionRule.check(token)
        }
        return PushRegistration(
            provider: provider,
            token: provider == .apns ? token.token.lowercased() : token.token,
            environment: environment,
            authorization: authorization,
            publicKey: publicKey,
            authenticationSecret: secret,
            registeredAt: time
        )
    }
}
