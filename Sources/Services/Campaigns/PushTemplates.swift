import Foundation
import Liquid
import Model
import Ports

/// A push message with its texts parsed: made once for a send, rendered for every recipient.
package struct PushTemplates: Sendable {
    /// What became of one recipient's message.
    package enum Outcome: Sendable {
        case message(PushMessage)
        /// A template ended the message on purpose, or cannot be rendered for this user.
        case skip(reason: String)
    }

    /// A text of the message.
    private enum Place: Sendable {
        case title, subtitle, body, uri, threadID, customVariables, attachment
        case pair(String)
        case buttonTitle(Int)
        case buttonURI(Int)

        /// Its name in problems.
        var field: String {
            switch self {
            case .title: "title"
            case .subtitle: "subtitle"
            case .body: "body"
            case .uri: "uri"
            case .threadID: "thread_id"
            case .customVariables: "custom_vars"
            case .attachment: "attachment"
            case .pair(let key): "key_value_pairs.\(key)"
            case .buttonTitle(let index): "buttons.\(index).title"
            case .buttonURI(let index): "buttons.\(index).uri"
            }
        }

        func write(_ text: String, to message: inout PushMessage) {
            switch self {
            case .title: message.title = text
            case .subtitle: message.subtitle = text
            case .body: message.body = text
            case .uri: message.uri = text
            case .threadID: message.threadID = text
            case .customVariables: message.customVariables = text
            case .attachment: message.attachment?.url = text
            case .pair(let key): message.keyValuePairs[key] = text
            case .buttonTitle(let index): message.buttons[index].title = text
            case .buttonURI(let index): message.buttons[index].uri = text
            }
        }
    }

    private let message: PushMessage
    private let texts: [(place: Place, template: Template)]
    /// Whether a text needs answers from outside; the content blocks in it are not looked at.
    package let asksQuestions: Bool

    /// Parses every text of `message`.
    ///
    /// - Throws: `PushProblems` that names each field that cannot be parsed, with line and column.
    package init(parsing message: PushMessage) throws(PushProblems) {
        var problems: [PushProblems.Problem] = []
        var texts: [(place: Place, template: Template)] = []
        // Most texts have no Liquid at all; they stay as they are.
        for (place, source) in Self.sources(of: message)
        where source.contains("{{") || source.contains("{%") {
            do {
                texts.append((place, try Template(parsing: source, name: nil, mode: .strict)))
            } catch {
                problems.append(
                    .init(field: place.field, message: error.text(withLines: true))
                )
            }
        }
        guard problems.isEmpty else { throw PushProblems(problems) }
        self.message = message
        self.texts = texts
        asksQuestions = texts.contains(where: \.template.asksQuestions)
    }

    /// Every text of a message that may hold Liquid.
    private static func sources(of message: PushMessage) -> [(Place, String)] {
        var sources: [(Place, String)] = [
            (.title, message.title), (.subtitle, message.subtitle), (.body, message.body),
        ]
        if let uri = message.uri { sources.append((.uri, uri)) }
        if let threadID = message.threadID { sources.append((.threadID, threadID)) }
        if let custom = message.customVariables { sources.append((.customVariables, custom)) }
        if let attachment = message.attachment { sources.append((.attachment, attachment.url)) }
        for (key, value) in message.keyValuePairs.sorted(by: { $0.key < $1.key }) {
            sources.append((.pair(key), value))
        }
        for (index, button) in message.buttons.enumerated() {
            sources.append((.buttonTitle(index), button.title))
            if let uri = button.uri { sources.append((.buttonURI(index), uri)) }
        }
        return sources
    }

    /// The same without their places.
    package static func texts(of message: PushMessage) -> [String] {
        sources(of: message).map(\.1)
    }

    /// The content blocks that the message names.
    package var contentBlocks: [String] {
        texts.reduce(into: []) { names, text in
            names += text.template.contentBlocks.filter { !names.contains($0) }
        }
    }

    /// The fields that name a content block which cannot be used.
    package func problems(with blocks: ContentBlockSet) -> [PushProblems.Problem] {
        texts.flatMap { text in
            text.template.contentBlocks.compactMap { name in
                blocks.problem(of: name).map { .init(field: text.place.field, message: $0) }
            }
        }
    }

    /// The message as one recipient gets it.
    package func render(
        for variables: ProfileVariables,
        now: Date,
        blocks: ContentBlockSet = .none
    ) -> Outcome {
        var result = message
        do throws(LiquidError) {
            for text in texts {
                let outcome = try text.template.render(variables, options: options(now, blocks))
                switch outcome {
                case .rendered(let rendered): text.place.write(rendered.text, to: &result)
                case .aborted(let reason): return .skip(reason: "Aborted: \(reason)")
                }
            }
        } catch {
            return Self.skipped(error)
        }
        return Self.checked(result)
    }

    /// The message as one recipient gets it, asking for what its texts need from outside.
    ///
    /// - Throws: `ContentFetchFailure.unavailable` when the message is to be rendered again later,
    ///   and what the answerer throws besides.
    package func render(
        for variables: ProfileVariables,
        now: Date,
        blocks: ContentBlockSet,
        answerer: some LiquidAnswerer
    ) async throws -> Outcome {
        guard asksQuestions || blocks.asksQuestions else {
            return render(for: variables, now: now, blocks: blocks)
        }
        var result = message
        do {
            for text in texts {
                let outcome = try await text.template.render(
                    variables,
                    options: options(now, blocks),
                    answerer: answerer
                )
                switch outcome {
                case .rendered(let rendered): text.place.write(rendered.text, to: &result)
                case .aborted(let reason): return .skip(reason: "Aborted: \(reason)")
                }
            }
        } catch let error as LiquidError {
            return Self.skipped(error)
        } catch ContentFetchFailure.refused(let reason) {
            return .skip(reason: "ConnectedContent: \(reason)")
        }
        return Self.checked(result)
    }

    private func options(_ now: Date, _ blocks: ContentBlockSet) -> RenderOptions {
        var options = RenderOptions(now: { LiquidTime(seconds: Int(now.timeIntervalSince1970)) })
        // A half-rendered sentence must not reach anybody's phone.
        options.errors = .raise
        options.templates = blocks
        return options
    }

    private static func skipped(_ error: LiquidError) -> Outcome {
        .skip(reason: "LiquidError: \(error.text(withLines: true))")
    }

    private static func checked(_ message: PushMessage) -> Outcome {
        if message.title.isEmpty, message.body.isEmpty, !message.isSilent {
            return .skip(reason: "EmptyMessage")
        }
        return .message(message)
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
