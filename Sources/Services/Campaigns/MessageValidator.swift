import Foundation
import JSON
import Model
import NoroshiWire
import Ports
import Reasons

/// Validates a message without a user.
enum MessageValidator {
    /// Maximum number of key-value pairs of a push.
    static let pairLimit = 50
    /// Maximum number of action buttons of a push.
    static let buttonLimit = 4

    /// A message with the path of a field of it.
    typealias PlacedMessage = (
        path: @Sendable (FieldPath.Message) -> FieldPath, message: PushMessage
    )

    /// Every field at fault.
    ///
    /// - Parameter path: Of a field of the message.
    static func problems(
        _ message: PushMessage,
        _ options: DeliveryOptions,
        at path: (FieldPath.Message) -> FieldPath = { .push($0) }
    ) -> [FieldProblem] {
        var problems: [FieldProblem] = []
        func report(
            _ field: FieldPath.Message,
            _ code: FieldReason,
            _ arguments: [String: Reason.Argument] = [:]
        ) {
            problems.append(FieldProblem(path(field), code, arguments))
        }
        if message.title.isEmpty, message.body.isEmpty, !message.isSilent {
            report(.body, .needsContent)
        }
        for key in message.keyValuePairs.keys.sorted()
        where PushPayloadKey.reserved.contains(key) {
            report(.pair(key), .reservedKey, ["key": .text(key)])
        }
        if message.keyValuePairs.keys.contains("") { report(.pairs, .needsKey) }
        if message.keyValuePairs.count > pairLimit {
            report(.pairs, .mostPairs, ["count": "\(pairLimit)"])
        }
        for (field, address) in addresses(message) where !LinkAddress.mayBeOpenable(address) {
            report(field, .openableAddress)
        }
        if message.buttons.count > buttonLimit {
            report(.buttons, .mostButtons, ["count": "\(buttonLimit)"])
        }
        if case .set(let number) = message.badge, !(0...99_999).contains(number) {
            report(.badge, .number, ["first": "0", "last": "99999"])
        }
        if let text = message.customVariables, !text.contains("{{"), !text.contains("{%") {
            do {
                _ = try JSONReader.read(Array(text.utf8))
            } catch {
                report(.customVariables, .notJSON, ["reason": .reason(error.reason)])
            }
        }
        if let id = options.collapseID, id.utf8.count > 64 {
            report(.collapseID, .bytes, ["count": "64"])
        }
        if let score = message.relevanceScore, !(0...1).contains(score) {
            report(.relevanceScore, .number, ["first": "0", "last": "1"])
        }
        if let story = message.story {
            for problem in self.problems(story, of: message) {
                report(problem.field, problem.code, problem.arguments)
            }
        }
        if let translations = message.translations {
            if translations.count > MessageLanguage.limit {
                report(.translations, .workspaceLanguages, ["count": "\(MessageLanguage.limit)"])
            }
            for code in translations.keys.sorted() where !MessageLanguage.isCode(code) {
                report(.translations, .noLanguage, ["text": .text(code)])
            }
        }
        do {
            _ = try PushTemplates(parsing: message, at: path)
        } catch {
            problems += error.problems
        }
        return problems
    }

    /// What taps on a push open; an empty address opens the app.
    private static func addresses(
        _ message: PushMessage
    ) -> [(field: FieldPath.Message, address: String)] {
        let buttons = message.buttons.enumerated().map { ($0, $1.uri) }
        let pages = (message.story ?? []).enumerated().map { ($0, $1.uri) }
        let all =
            [(FieldPath.Message.uri, message.uri)]
            + buttons.map { (.buttonURI($0), $1) } + pages.map { (.storyURI($0), $1) }
        return all.compactMap { field, address in
            address.flatMap { $0.isEmpty ? nil : (field, $0) }
        }
    }

    private typealias StoryProblem = (
        field: FieldPath.Message, code: FieldReason, arguments: [String: Reason.Argument]
    )

    private static func problems(
        _ story: [StoryPage],
        of message: PushMessage
    ) -> [StoryProblem] {
        var problems: [StoryProblem] = []
        let count = StoryPage.count
        if !count.contains(story.count) {
            let bounds: [String: Reason.Argument] = [
                "first": "\(count.lowerBound)", "last": "\(count.upperBound)",
            ]
            problems.append((.story, .storyPages, bounds))
        }
        if message.isSilent { problems.append((.story, .storyShown, [:])) }
        if let category = message.category, category != PushPayloadKey.storyCategory {
            problems.append((.story, .storyCategory, [:]))
        }
        // Phones load pictures from https only; a template says its address later.
        for (index, page) in story.enumerated()
        where !page.image.hasPrefix("https://") && !page.image.hasPrefix("{") {
            problems.append((.storyImage(index), .secureAddress, [:]))
        }
        return problems
    }

    /// The fields that name an unusable content block.
    ///
    static func contentBlockProblems(
        of messages: [PlacedMessage],
        in workspace: WorkspaceID,
        _ store: any ContentBlockStore
    ) async throws -> [FieldProblem] {
        let parsed = try messages.map { ($0.path, try PushTemplates(parsing: $0.message)) }
        let blocks = try await ContentBlockReader(store: store).blocks(
            named: Set(parsed.flatMap(\.1.contentBlocks)).sorted(),
            in: workspace
        )
        return parsed.flatMap { path, templates in templates.problems(with: blocks, at: path) }
    }
}
