import Foundation
import Ingestion
import Model
import NoroshiWire

/// The form of a campaign in a file. Values that a new campaign has by default are left out.
enum CampaignForm {
    static func members(of content: CampaignContent) throws -> [String: JSONValue] {
        var content = content
        content.audience = .everyone
        for index in content.variants.indices { content.variants[index].number = nil }
        var members = try ReadableForm.value(of: content).objectValue ?? [:]
        members["variants"] = .array(
            (members["variants"]?.arrayValue ?? []).map {
                changingMessages(of: without(variantDefaults, $0)) { message in
                    var message = message
                    message["message"] = message["message"].map {
                        without(messageDefaults.message, $0)
                    }
                    let options = message["options"].map { without(messageDefaults.options, $0) }
                    message["options"] = options == .object([:]) ? nil : options
                    return message
                }
            }
        )
        members["audience"] = nil
        return without(try contentDefaults(), .object(members)).objectValue ?? [:]
    }

    /// The content, with all users as its audience.
    ///
    /// - Throws: `FieldProblem`.
    static func content(_ members: [String: JSONValue]) throws -> CampaignContent {
        var members = members
        if case .array(let variants)? = members["variants"] {
            members["variants"] = .array(
                variants.map {
                    changingMessages(of: with(variantDefaults, $0)) { message in
                        var message = message
                        message["message"] = with(
                            messageDefaults.message,
                            message["message"] ?? .object([:])
                        )
                        message["options"] = with(
                            messageDefaults.options,
                            message["options"] ?? .object([:])
                        )
                        return message
                    }
                }
            )
        }
        let form = with(try contentDefaults(), .object(members))
        var filled = form.objectValue ?? [:]
        filled["audience"] = ["everyone": [:]]
        var content = try ReadableForm.read(.object(filled), as: CampaignContent.self)
        if let place = content.variants.firstIndex(where: { $0.number != nil }) {
            throw FieldProblem("variants.\(place).number", .givenByServer)
        }
        content.audience = .everyone
        return content
    }

    // MARK: Defaults

    private static func contentDefaults() throws -> [String: JSONValue] {
        var members =
            try ReadableForm.value(of: CampaignContent(name: "", variants: [])).objectValue ?? [:]
        for required in ["name", "variants", "audience"] { members[required] = nil }
        return members
    }

    private static let variantDefaults: [String: JSONValue] = ["weight": 1]

    private static let messageDefaults:
        (message: [String: JSONValue], options: [String: JSONValue]) = (
            (try? ReadableForm.value(of: PushMessage(body: "")))?.objectValue ?? [:],
            (try? ReadableForm.value(of: DeliveryOptions()))?.objectValue ?? [:]
        )

    /// Changes the message of each platform.
    private static func changingMessages(
        of variant: JSONValue,
        _ change: ([String: JSONValue]) -> [String: JSONValue]
    ) -> JSONValue {
        guard case .object(var members) = variant, case .object(var parts)? = members["message"]
        else { return variant }
        for (name, part) in parts {
            if case .object(let message) = part { parts[name] = .object(change(message)) }
        }
        members["message"] = .object(parts)
        return .object(members)
    }

    private static func without(
        _ defaults: [String: JSONValue],
        _ value: JSONValue
    ) -> JSONValue {
        guard case .object(let members) = value else { return value }
        return .object(members.filter { defaults[$0.key] != $0.value })
    }

    private static func with(_ defaults: [String: JSONValue], _ value: JSONValue) -> JSONValue {
        guard case .object(let members) = value else { return value }
        return .object(defaults.merging(members) { $1 })
    }
}
