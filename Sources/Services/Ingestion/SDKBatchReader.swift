import Foundation
import Model
import NoroshiWire
import Ports
import Reasons

/// Converts an SDK's records to items, validated field by field.
package enum SDKBatchReader {
    /// Maximum size of an action, a button or a message's id, in bytes.
    private static let interactionLimit = 1024

    /// The items to store, and the rejected records, each with its reason.
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

    /// Rejects a device whose description cannot be stored.
    package static func check(_ device: SDKDevice) throws(FieldProblem) {
        try FieldValidator.device(device)
    }

    private static func item(_ record: SDKRecord, now: Date) throws(FieldProblem) -> IngestItem {
        let user: UserReference
        switch record.user {
        case .external(let id):
            try FieldValidator.externalID(id)
            user = .external(id)
        case .anonymous(let id):
            user = .anonymous(id)
        }
        guard let reported = Timestamp.date(milliseconds: record.timeMilliseconds) else {
            throw FieldProblem("time_ms", .millisecondYears)
        }
        // A device's clock may be ahead; a reported event has already occurred.
        let time = min(reported, now)
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
            try FieldValidator.eventName(name)
            return .event(name: name, properties: try FieldValidator.properties(properties))
        case .purchase(let product, let currency, let price, let quantity, let properties):
            try FieldValidator.purchase(product, currency, price, quantity)
            return .purchase(
                product: product,
                currency: currency,
                price: price,
                quantity: quantity,
                properties: try FieldValidator.properties(properties)
            )
        case .attributes(let values, let mergeObjects):
            try FieldValidator.texts(values, "attributes")
            return .attributes(AttributeChanges(values, mergesObjects: mergeObjects))
        case .userChanged(let previous):
            switch previous {
            case .external(let id):
                try FieldValidator.externalID(id)
                return .userChanged(previous: .external(id))
            case .anonymous(let id): return .userChanged(previous: .anonymous(id))
            }
        case .alias(let name, let label):
            try FieldValidator.alias(name: name, label: label)
            return .alias(name: name, label: label)
        case .sessionStarted: return .sessionStarted
        case .sessionEnded(let duration):
            try FieldValidator.session(duration: duration)
            return .sessionEnded(duration: duration)
        case .pushToken(let token): return .pushRegistered(try registration(token, time))
        case .pushTokenCleared: return .pushCleared
        case .push(let interaction):
            try interactionText(interaction.action, "push.action")
            try page(of: interaction)
            return .pushInteraction(interaction)
        case .inAppMessage(let interaction):
            try interactionText(interaction.message, "in_app_message.message")
            try interactionText(interaction.button, "in_app_message.button")
            try interactionText(interaction.variant, "in_app_message.variant")
            return .inAppMessage(interaction)
        }
    }

    private static func page(
        of interaction: SDKRecord.PushInteraction
    ) throws(FieldProblem) {
        guard let page = interaction.page else { return }
        let pages = SDKRecord.PushInteraction.pages
        guard interaction.kind == .opened, pages.contains(page) else {
            throw FieldProblem(
                "push.page",
                .storyPage,
                ["first": "\(pages.lowerBound)", "last": "\(pages.upperBound)"]
            )
        }
    }

    /// The name that the app gave to the user's choice.
    private static func interactionText(
        _ text: String?,
        _ field: String
    ) throws(FieldProblem) {
        guard let text else { return }
        guard text.utf8.count <= interactionLimit else {
            throw FieldProblem(field, .mostBytes, ["count": "\(interactionLimit)"])
        }
        try FieldValidator.text(text, field)
    }

    private static func registration(
        _ token: SDKRecord.PushToken,
        _ time: Date
    ) throws(FieldProblem) -> PushRegistration {
        guard let provider = PushProvider(rawValue: token.provider) else {
            throw FieldProblem("token.provider", .provider)
        }
        guard let authorization = PushAuthorization(rawValue: token.authorization) else {
            throw FieldProblem("token.authorization", .authorization)
        }
        guard (1...4096).contains(token.token.utf8.count) else {
            throw FieldProblem("token.token", .byteCount, ["count": "4096"])
        }
        try FieldValidator.text(token.token, "token.token")
        var environment: APNsEnvironment?
        if provider == .apns {
            guard token.token.allSatisfy(\.isHexDigit) else {
                throw FieldProblem("token.token", .hexToken)
            }
            environment = token.environment.flatMap(APNsEnvironment.init)
            guard environment != nil else {
                throw FieldProblem("token.environment", .environment)
            }
        }
        var (publicKey, secret) = (token.publicKey, token.authenticationSecret)
        if provider == .webPush {
            (publicKey, secret) = try WebPushSubscriptionValidator.check(token)
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
