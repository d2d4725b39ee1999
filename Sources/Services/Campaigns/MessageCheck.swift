import Foundation
import JSON
import Model
import NoroshiWire
import Ports

/// Validates a message without a user.
enum MessageCheck {
    /// Maximum number of key-value pairs of a push.
    static let pairLimit = 50
    /// Maximum number of action buttons of a push.
    static let buttonLimit = 4

    /// Every invalid field; `path` is the prefix of its name.
    static func problems(
        _ message: PushMessage,
        _ options: DeliveryOptions,
        path: String = ""
    ) -> [PushProblems.Problem] {
        var problems: [PushProblems.Problem] = []
        func report(_ field: String, _ text: String) {
            problems.append(.init(field: path + field, message: text))
        }
        if message.title.isEmpty, message.body.isEmpty, !message.isSilent {
            report("body", "write a title or a message")
        }
        for key in message.keyValuePairs.keys.sorted()
        where PushPayloadKey.reserved.contains(key) {
            report(
                "key_value_pairs.\(key)",
                "'\(key)' is used by the payload itself; choose another key"
            )
        }
        if message.keyValuePairs.keys.contains("") {
            report("key_value_pairs", "every pair needs a key")
        }
        if message.keyValuePairs.count > pairLimit {
            report("key_value_pairs", "at most \(pairLimit) pairs")
        }
        if message.buttons.count > buttonLimit {
            report("buttons", "at most \(buttonLimit) buttons")
        }
        if case .set(let number) = message.badge, !(0...99_999).contains(number) {
            report("badge", "is a number from 0 to 99999")
        }
        if let text = message.customVariables, !text.contains("{{"), !text.contains("{%") {
            do {
                _ = try JSONReader.read(Array(text.utf8))
            } catch {
                report("custom_vars", "is no JSON: \(error)")
            }
        }
        if let id = options.collapseID, id.utf8.count > 64 {
            report("collapse_id", "has at most 64 bytes")
        }
        if let score = message.relevanceScore, !(0...1).contains(score) {
            report("relevance_score", "is a number from 0 to 1")
        }
        do {
            _ = try PushTemplates(parsing: message)
        } catch {
            for problem in error.problems { report(problem.field, problem.message) }
        }
        return problems
    }

    /// The fields that name an unusable content block.
    ///
    /// - Parameter messages: Each with the prefix of its field names.
    static func contentBlockProblems(
        of messages: [(path: String, message: PushMessage)],
        in workspace: WorkspaceID,
        _ store: any ContentBlockStore
    ) async throws -> [PushProblems.Problem] {
        let parsed = try messages.map { ($0.path, try PushTemplates(parsing: $0.message)) }
        let blocks = try await ContentBlockReader(store: store).blocks(
            named: Set(parsed.flatMap(\.1.contentBlocks)).sorted(),
            in: workspace
        )
        return parsed.flatMap { path, templates in
            templates.problems(with: blocks).map {
                PushProblems.Problem(field: path + $0.field, message: $0.message)
            }
        }
    }
}
