import Foundation
import Liquid
import Model

/// A push message with its texts parsed: made once for a send, rendered for every recipient.
package struct PushTemplates: Sendable {
    /// What became of one recipient's message.
    package enum Outcome: Sendable {
        case message(PushMessage)
        /// A template ended the message on purpose, or cannot be rendered for this user.
        case skip(reason: String)
    }

    private struct Text: Sendable {
        var field: any WritableKeyPath<PushMessage, String> & Sendable
        var template: Template
    }

    private let message: PushMessage
    private let texts: [Text]
    private let uri: Template?
    private let customVariables: Template?
    private let pairs: [(key: String, template: Template)]
    private let threadID: Template?

    /// Parses every text of `message`.
    ///
    /// - Throws: `PushProblems` that names each field that cannot be parsed, with line and column.
    package init(parsing message: PushMessage) throws(PushProblems) {
        var problems: [PushProblems.Problem] = []
        func parse(_ source: String, _ field: String) -> Template? {
            // Most texts have no Liquid at all; they stay as they are.
            guard source.contains("{{") || source.contains("{%") else { return nil }
            do {
                return try Template(parsing: source, name: nil, mode: .strict)
            } catch {
                problems.append(.init(field: field, message: error.text(withLines: true)))
                return nil
            }
        }
        let fields: [(any WritableKeyPath<PushMessage, String> & Sendable, String)] = [
            (\.title, "title"), (\.subtitle, "subtitle"), (\.body, "body"),
        ]
        texts = fields.compactMap { path, name in
            parse(message[keyPath: path], name).map { Text(field: path, template: $0) }
        }
        uri = message.uri.flatMap { parse($0, "uri") }
        customVariables = message.customVariables.flatMap { parse($0, "custom_vars") }
        threadID = message.threadID.flatMap { parse($0, "thread_id") }
        pairs = message.keyValuePairs.sorted { $0.key < $1.key }.compactMap { key, value in
            parse(value, "key_value_pairs.\(key)").map { (key, $0) }
        }
        self.message = message
        guard problems.isEmpty else { throw PushProblems(problems) }
    }

    /// The message as one recipient gets it.
    package func render(for variables: ProfileVariables, now: Date) -> Outcome {
        var options = RenderOptions(now: { LiquidTime(seconds: Int(now.timeIntervalSince1970)) }
        )
        // A half-rendered sentence must not reach anybody's phone.
        options.errors = .raise
        var result = message
        do throws(Ending) {
            for text in texts {
                result[keyPath: text.field] = try rendered(text.template, variables, options)
            }
            if let uri { result.uri = try rendered(uri, variables, options) }
            if let threadID { result.threadID = try rendered(threadID, variables, options) }
            if let customVariables {
                result.customVariables = try rendered(customVariables, variables, options)
            }
            for pair in pairs {
                result.keyValuePairs[pair.key] = try rendered(pair.template, variables, options)
            }
        } catch {
            switch error {
            case .aborted(let reason): return .skip(reason: "Aborted: \(reason)")
            case .failed(let error):
                return .skip(reason: "LiquidError: \(error.text(withLines: true))")
            }
        }
        if result.title.isEmpty, result.body.isEmpty, !result.isSilent {
            return .skip(reason: "EmptyMessage")
        }
        return .message(result)
    }

    private enum Ending: Error {
        case aborted(String)
        case failed(LiquidError)
    }

    private func rendered(
        _ template: Template,
        _ variables: ProfileVariables,
        _ options: RenderOptions
    ) throws(Ending) -> String {
        let outcome: RenderOutcome
        do {
            outcome = try template.render(variables, options: options)
        } catch {
            throw .failed(error)
        }
        switch outcome {
        case .rendered(let text): return text.text
        case .aborted(let reason): throw .aborted(reason)
        }
    }
}

/// What is wrong with a push that is being written, field by field.
package struct PushProblems: Error, Sendable, Hashable {
    package struct Problem: Sendable, Hashable {
        package var field: String
        package var message: String

        package init(field: String, message: String) {
            self.field = field
            self.message = message
        }
    }

    package var problems: [Problem]

    package init(_ problems: [Problem]) {
        self.problems = problems
    }
}
