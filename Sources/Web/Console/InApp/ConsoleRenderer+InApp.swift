import Audience
import Campaigns
import Foundation
import Hummingbird
import InAppMessages
import Model
import NoroshiWire
import WebPages

extension ConsoleRenderer {
    /// The message of an address.
    ///
    /// - Throws: `PageError.notFound`.
    func inAppMessage(
        _ context: ConsoleContext,
        _ parameters: Parameters
    ) async throws -> InAppMessageDefinition {
        guard let stored = try await inAppMessage(parameters.get("message"), context) else {
            throw PageError.notFound
        }
        return stored
    }

    /// The message of a form; `nil` for a new one.
    func inAppMessage(_ id: String?, _ context: ConsoleContext) async throws
        -> InAppMessageDefinition?
    {
        guard let id = id.flatMap(UUID.init(uuidString:)) else { return nil }
        return try await services.inApp.message(id, in: context.workspace)
    }

    /// The form that shows a message.
    func inAppForm(_ stored: InAppMessageDefinition, _ context: ConsoleContext) async throws
        -> InAppForm
    {
        InAppForm(
            stored,
            audience: try await services.choices.choice(of: stored.audience),
            context: context
        )
    }

    /// The editor of an in-app message.
    ///
    /// - Parameter frame: The draft; `nil` if nothing is stored yet.
    func inAppPage(
        _ form: InAppForm,
        known: InAppMessageDefinition?,
        _ context: ConsoleContext,
        frame: DraftFrame? = nil,
        faults: [FormFieldError] = []
    ) async throws -> Response {
        var kept = frame
        if kept == nil {
            let desk = DraftDesk(site: self, kind: .inApp)
            kept = try await desk.frame(
                desk.new(subject: known?.message.id ?? "", context),
                version: known?.updatedAt,
                context
            )
        }
        var composer = try await composer(form.push, faults: faults, context)
        composer.everyone = context.words("in_app.everyone")
        composer.everyoneHelp = context.words("in_app.everyone_help")
        let written = form.asTyped(
            changing: services.inApp.blank(in: context.workspace),
            shownAs: nil,
            context
        )
        let content = InAppEditorPage(
            form,
            known: known,
            preview: try await services.inApp.preview(written, for: form.push.previewUser),
            composer: composer,
            draft: kept,
            faults: faults,
            context: context
        )
        return try page(
            "in-app",
            content,
            title: content.heading,
            place: .inApp,
            context: context,
            status: !faults.isEmpty
                ? .unprocessableContent : frame?.conflict == nil ? .ok : .conflict
        )
    }

    /// Maps errors of the services to the form's fields.
    ///
    /// - Throws: ``FormError`` and whatever else the work throws.
    static func namingInApp<Value>(
        _ context: ConsoleContext,
        _ work: () async throws -> Value
    ) async throws -> Value {
        try await FormError.naming(context.words, InAppForm.name, work)
    }
}
