import Audience
import Foundation
import Hummingbird
import InAppMessages
import Model
import NoroshiWire
import Sends
import WebPages

/// The review before activation. An in-app message is activated only by the form of its review,
/// once, and only in the reviewed version.
struct InAppReviewRoutes: Sendable {
    private let site: ConsoleRenderer
    private let gate: ConsoleAuthenticator
    private let messages: InAppMessageService

    init(site: ConsoleRenderer) {
        self.site = site
        messages = site.services.inApp
        gate = ConsoleAuthenticator(site: site)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let address = RouterPath(ConsolePath.activateInApp(":message").path)
        router.get(
            address,
            use: gate.member(.marketer) { context, parameters in
                try await review(site.inAppMessage(context, parameters), context)
            }
        )
        router.post(
            address,
            use: gate.member(.marketer) { context, parameters in
                try await activate(site.inAppMessage(context, parameters), context)
            }
        )
    }

    private func review(_ stored: InAppMessageDefinition, _ context: ConsoleContext) async throws
        -> Response
    {
        guard stored.steps.contains(.activate) else {
            return HTMLResponse.redirect(to: ConsolePath.inAppMessage(stored.message.id).path)
        }
        do {
            let outlook = try await ConsoleRenderer.namingInApp(context) {
                try await site.services.review.outlook(
                    of: SendReview.Request(stored),
                    in: stored.workspace
                )
            }
            let page = InAppReviewPage(
                stored,
                audience: try await site.services.choices.choice(of: stored.audience),
                previews: try await messages.previews(of: stored),
                outlook: outlook,
                context: context
            )
            return try site.page(
                "in-app-review",
                page,
                title: context.words("review.title"),
                place: .inApp,
                context: context
            )
        } catch let rejected as FormError {
            return try await write(stored, again: rejected.faults, context)
        }
    }

    private func activate(_ stored: InAppMessageDefinition, _ context: ConsoleContext) async throws
        -> Response
    {
        let id = stored.message.id
        guard let seen = Int64(context.form["version"]) else {
            return HTMLResponse.redirect(to: ConsolePath.activateInApp(id).path)
        }
        do {
            let isDone = try await ConsoleRenderer.namingInApp(context) {
                try await messages.take(
                    .activate,
                    with: stored,
                    seenAt: Date(milliseconds: seen),
                    by: context.actor
                )
            }
            if isDone {
                return HTMLResponse.redirect(
                    to: FlashMessage.inAppActivated.address(ConsolePath.inAppMessage(id))
                )
            }
        } catch let rejected as FormError {
            return try await write(stored, again: rejected.faults, context)
        }
        // Posted again: the message is already active.
        guard stored.steps.contains(.activate) else {
            return HTMLResponse.redirect(to: ConsolePath.inAppMessage(id).path)
        }
        return HTMLResponse.redirect(to: FlashMessage.draftChanged.address(.activateInApp(id)))
    }

    /// The form of a message that is not valid.
    private func write(
        _ stored: InAppMessageDefinition,
        again faults: [FormFieldError],
        _ context: ConsoleContext
    ) async throws -> Response {
        try await site.inAppPage(
            site.inAppForm(stored, context),
            known: stored,
            context,
            faults: faults
        )
    }
}
