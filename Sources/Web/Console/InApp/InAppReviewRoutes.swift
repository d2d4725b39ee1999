import Foundation
import Hummingbird
import Model
import WebPages

/// Apps show nothing that nobody has looked at: an in-app message is activated by the form of its
/// review, once, and only as it was when it was reviewed.
struct InAppReviewRoutes: Sendable {
    private let site: ConsoleSite
    private let gate: Gate
    private let messages: any InAppPages
    /// Where what is wrong is written again.
    private let form: InAppRoutes

    init(site: ConsoleSite, messages: any InAppPages) {
        self.site = site
        self.messages = messages
        gate = Gate(site: site)
        form = InAppRoutes(site: site, messages: messages)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let address = RouterPath(ConsolePath.activateInApp(":message").path)
        router.get(
            address,
            use: gate.member(.marketer) { visit, parameters in
                try await review(form.sketch(visit, parameters), visit)
            }
        )
        router.post(
            address,
            use: gate.member(.marketer) { visit, parameters in
                try await activate(form.sketch(visit, parameters), visit)
            }
        )
    }

    private func review(_ sketch: InAppSketch, _ visit: Visit) async throws -> Response {
        let id = sketch.row.id
        guard sketch.row.phase.steps.contains(.activate) else {
            return PageAnswer.redirect(to: ConsolePath.inAppMessage(id).path)
        }
        do {
            guard let outlook = try await messages.outlook(of: id, for: visit.member) else {
                throw PageProblem.notFound
            }
            var previews: [InAppPreview] = []
            for variant in sketch.draft.contents.indices {
                previews.append(
                    try await messages.preview(sketch.draft, variant: variant, for: visit.member)
                )
            }
            return try site.page(
                "in-app-review",
                InAppReviewPage(sketch, previews: previews, outlook: outlook, visit: visit),
                title: visit.words("review.title"),
                place: .inApp,
                visit: visit
            )
        } catch let rejected as InAppRejected {
            return try await form.editor(sketch, faults: rejected.faults, visit)
        }
    }

    private func activate(_ sketch: InAppSketch, _ visit: Visit) async throws -> Response {
        let id = sketch.row.id
        guard let seen = Int64(visit.form["version"]) else {
            return PageAnswer.redirect(to: ConsolePath.activateInApp(id).path)
        }
        do {
            let version = Date(milliseconds: seen)
            if try await messages.activate(id, version: version, for: visit.member) {
                try await site.record(.inAppActivated, id, detail: sketch.row.name, visit)
                return PageAnswer.redirect(
                    to: Notice.inAppActivated.address(ConsolePath.inAppMessage(id))
                )
            }
        } catch let rejected as InAppRejected {
            return try await form.editor(sketch, faults: rejected.faults, visit)
        }
        // Posted again: it is shown already.
        guard sketch.row.phase.steps.contains(.activate) else {
            return PageAnswer.redirect(to: ConsolePath.inAppMessage(id).path)
        }
        return PageAnswer.redirect(to: Notice.draftChanged.address(.activateInApp(id)))
    }
}
