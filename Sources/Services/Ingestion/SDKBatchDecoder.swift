import Foundation
import JSON
import Model
import NoroshiWire
import Reasons

/// Reads the JSON that an SDK posts, record by record: an invalid record is rejected alone, so that
/// an app's outbox removes it and continues.
package struct SDKBatchDecoder: Sendable {
    package let batch: SDKBatch
    /// The invalid records, each with its reason.
    package let rejections: [SDKRejection]

    /// - Parameter root: A document parsed with its flawed strings kept.
    /// - Throws: `FieldProblem` if the batch is unusable: the device is not named, or a record has
    ///   no id.
    package init(_ root: JSONNode) throws(FieldProblem) {
        let object = try SDKObject(root, at: "")
        let device = try Self.device(try object.object("device"))
        guard let list = object.node.present("records"), list.kind == .array else {
            throw FieldProblem("records", .requiredArray)
        }
        var records: [SDKRecord] = []
        var rejections: [SDKRejection] = []
        var count = 0
        for node in list.elements {
            guard count < SDKBatch.recordLimit else {
                throw FieldProblem("records", .elementsAtMost, ["count": "\(SDKBatch.recordLimit)"])
            }
            let place = "records.\(count)"
            count += 1
            let id = try SDKObject(node, at: place).uuid("id")
            do {
                records.append(try Self.record(node, id: id))
            } catch {
                rejections.append(
                    SDKRejection(id: id, field: error.field, message: error.message)
                )
            }
        }
        batch = SDKBatch(
            device: device,
            records: records,
            signature: try object.optionalText("signature")
        )
        self.rejections = rejections
    }

    private static func device(_ object: SDKObject) throws(FieldProblem) -> SDKDevice {
        if let flaw = object.node.flaw {
            throw FieldProblem(.request("device.\(flaw.path)"), flaw.reason)
        }
        let device = SDKDevice(
            id: try object.uuid("id"),
            platform: try object.text("platform"),
            model: try object.optionalText("model"),
            osVersion: try object.optionalText("os_version"),
            appVersion: try object.optionalText("app_version"),
            sdkVersion: try object.optionalText("sdk_version"),
            locale: try object.optionalText("locale"),
            timeZone: try object.optionalText("time_zone")
        )
        try FieldValidator.device(device)
        return device
    }

    private static func record(_ node: JSONNode, id: UUID) throws(FieldProblem) -> SDKRecord {
        if let flaw = node.flaw { throw FieldProblem(.request(flaw.path), flaw.reason) }
        let object = try SDKObject(node, at: "")
        return SDKRecord(
            id: id,
            sequence: try object.sequence("seq"),
            timeMilliseconds: try object.integer("time_ms"),
            user: try user(try object.object("user")),
            session: try object.optionalUUID("session"),
            content: try content(object)
        )
    }

    private static func user(_ object: SDKObject) throws(FieldProblem) -> SDKUser {
        if let id = try object.optionalText("external_id") { return .external(id) }
        return .anonymous(try object.uuid("anonymous_id"))
    }

    private static func content(
        _ object: SDKObject
    ) throws(FieldProblem) -> SDKRecord.Content {
        let type = try object.text("type")
        switch type {
        case "event":
            return .event(
                name: try object.text("name"),
                properties: try object.optionalMembers("properties") ?? [:]
            )
        case "purchase":
            let quantity = try object.optionalInteger("quantity") ?? 1
            return .purchase(
                product: try object.text("product"),
                currency: try object.text("currency"),
                price: try object.number("price"),
                quantity: Int(clamping: quantity),
                properties: try object.optionalMembers("properties") ?? [:]
            )
        case "attributes":
            return .attributes(
                try object.members("attributes"),
                mergeObjects: try object.optionalFlag("merge_objects") ?? false
            )
        case "user_changed": return .userChanged(previous: try user(try object.object("previous")))
        case "alias":
            return .alias(name: try object.text("name"), label: try object.text("label"))
        case "session_started": return .sessionStarted
        case "session_ended":
            return .sessionEnded(duration: try object.number("duration_seconds"))
        case "push_token": return .pushToken(try token(try object.object("token")))
        case "push_token_cleared": return .pushTokenCleared
        case "push": return .push(try push(try object.object("push")))
        case "in_app_message":
            return .inAppMessage(try inAppMessage(try object.object("in_app_message")))
        default:
            throw FieldProblem("type", .noRecordKind, ["text": "\(type.prefix(40))"])
        }
    }

    private static func token(
        _ object: SDKObject
    ) throws(FieldProblem) -> SDKRecord.PushToken {
        SDKRecord.PushToken(
            token: try object.text("token"),
            provider: try object.text("provider"),
            environment: try object.optionalText("environment"),
            authorization: try object.text("authorization"),
            publicKey: try object.optionalText("p256dh"),
            authenticationSecret: try object.optionalText("auth")
        )
    }

    private static func push(
        _ object: SDKObject
    ) throws(FieldProblem) -> SDKRecord.PushInteraction {
        SDKRecord.PushInteraction(
            kind: try object.choice("kind"),
            dispatch: try object.uuid("dispatch"),
            pushNumber: try object.optionalInteger("push_no"),
            action: try object.optionalText("action"),
            page: try object.optionalInteger("page").map { Int(clamping: $0) }
        )
    }

    private static func inAppMessage(
        _ object: SDKObject
    ) throws(FieldProblem) -> SDKRecord.InAppMessageInteraction {
        SDKRecord.InAppMessageInteraction(
            kind: try object.choice("kind"),
            message: try object.text("message"),
            button: try object.optionalText("button"),
            variant: try object.optionalText("variant")
        )
    }
}
