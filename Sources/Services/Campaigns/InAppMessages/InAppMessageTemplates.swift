import Foundation
import Liquid
import Model
import NoroshiWire
import Ports

/// An in-app message with its texts parsed, to be rendered for the users who get it.
package struct InAppMessageTemplates: Sendable {
    private let message: InAppMessage
    private let templates: [String: Template]

    /// Parses every text of `message`.
    ///
    /// - Throws: `PushProblems` that names each field that cannot be parsed, or that asks for what
    ///   is not there when a device fetches its messages: Connected Content and catalogs.
    package init(parsing message: InAppMessage) throws(PushProblems) {
        var templates: [String: Template] = [:]
        var problems: [PushProblems.Problem] = []
        var probe = message
        probe.changeTexts { field, text in
            guard text.contains("{{") || text.contains("{%") else { return }
            do throws(LiquidError) {
                let template = try Template(parsing: text, mode: .strict)
                if template.asksQuestions {
                    problems.append(
                        .init(
                            field: field,
                            message: "cannot use Connected Content or catalogs; "
                                + "in-app messages are rendered when a device fetches them"
                        )
                    )
                }
                templates[field] = template
            } catch {
                problems.append(.init(field: field, message: error.text(withLines: true)))
            }
        }
        guard problems.isEmpty else { throw PushProblems(problems) }
        self.message = message
        self.templates = templates
    }

    /// The content blocks that the texts name.
    package var contentBlocks: [String] {
        templates.values.reduce(into: []) { names, template in
            names += template.contentBlocks.filter { !names.contains($0) }
        }
    }

    /// What comes of rendering a message for one user.
    package enum Outcome: Sendable {
        case message(InAppMessage)
        /// A template ended it with `abort_message`.
        case aborted(reason: String)
        /// A field cannot be rendered for this user.
        case failed(PushProblems.Problem)
    }

    /// The message for one user; a half-rendered sentence does not reach anybody's screen.
    package func render(
        for variables: ProfileVariables,
        now: Date,
        blocks: ContentBlockSet
    ) -> Outcome {
        guard !templates.isEmpty else { return .message(message) }
        var options = RenderOptions(now: { LiquidTime(seconds: Int(now.timeIntervalSince1970)) })
        options.errors = .raise
        options.templates = blocks
        var result = message
        var failure: Outcome?
        result.changeTexts { field, text in
            guard failure == nil, let template = templates[field] else { return }
            do throws(LiquidError) {
                switch try template.render(variables, options: options) {
                case .rendered(let rendered): text = rendered.text
                case .aborted(let reason): failure = .aborted(reason: reason)
                }
            } catch {
                failure = .failed(.init(field: field, message: error.text(withLines: true)))
            }
        }
        return failure ?? .message(result)
    }
}

extension InAppMessage {
    /// Hands over each text that people see or that a tap opens, with the name of its field.
    fileprivate mutating func changeTexts(_ change: (String, inout String) -> Void) {
        change("message.message", &message)
        Self.change("message.header", &header, change)
        Self.change("message.image_url", &imageURL, change)
        Self.change("message.image_alt", &imageAltText, change)
        clickAction = clickAction.map { Self.changed($0, "message.click_action", change) }
        for index in (buttons ?? []).indices {
            guard var button = buttons?[index] else { continue }
            change("message.buttons.\(index).text", &button.text)
            button.clickAction = Self.changed(
                button.clickAction,
                "message.buttons.\(index).click_action",
                change
            )
            buttons?[index] = button
        }
        guard var pairs = extras else { return }
        for key in pairs.keys.sorted() {
            Self.change("message.extras.\(key)", &pairs[key], change)
        }
        extras = pairs
    }

    private static func change(
        _ field: String,
        _ text: inout String?,
        _ change: (String, inout String) -> Void
    ) {
        guard var value = text else { return }
        change(field, &value)
        text = value
    }

    private static func changed(
        _ action: ClickAction,
        _ field: String,
        _ change: (String, inout String) -> Void
    ) -> ClickAction {
        guard case .url(var url, let useWebView) = action else { return action }
        change("\(field).url", &url)
        return .url(url, useWebView: useWebView)
    }
}
