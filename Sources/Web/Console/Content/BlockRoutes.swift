import Content
import Foundation
import Hummingbird
import Model
import WebPages

/// The content blocks: list, editor, deletion.
struct BlockRoutes: Sendable {
    private let site: ConsoleRenderer
    private let gate: ConsoleAuthenticator
    private let blocks: ContentBlockService

    init(site: ConsoleRenderer) {
        self.site = site
        blocks = site.services.blocks
        gate = ConsoleAuthenticator(site: site)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.contentBlocks.path),
            use: gate.member { visit, _ in
                try site.page(
                    "blocks",
                    BlocksPage(try await blocks.uses(in: visit.workspace), visit: visit),
                    title: visit.words("blocks.title"),
                    place: .campaigns,
                    visit: visit
                )
            }
        )
        router.get(
            RouterPath(ConsolePath.newContentBlock.path),
            use: gate.member(.marketer) { visit, _ in
                try await editor(BlockForm(), nil, visit)
            }
        )
        router.post(
            RouterPath(ConsolePath.newContentBlock.path),
            use: gate.member(.marketer) { visit, _ in
                try await save(visit, known: nil) { form in
                    try await blocks.create(by: visit.actor, form.apply)
                }
            }
        )
        router.get(
            RouterPath(ConsolePath.contentBlock(":block").path),
            use: gate.member { visit, parameters in
                let known = try await found(visit, parameters)
                return try await editor(BlockForm(known), known, visit)
            }
        )
        router.post(
            RouterPath(ConsolePath.contentBlock(":block").path),
            use: gate.member(.marketer) { visit, parameters in
                let known = try await found(visit, parameters)
                return try await save(visit, known: known) { form in
                    try await blocks.change(known.id, by: visit.actor, form.apply)
                }
            }
        )
        router.post(
            RouterPath(ConsolePath.deleteContentBlock(":block").path),
            use: gate.member(.marketer) { visit, parameters in
                let known = try await found(visit, parameters)
                do {
                    _ = try await blocks.delete(known.id, by: visit.actor)
                } catch let refusal as Refusal {
                    let fault = FormFault(field: "", text: visit.words(refusal.reason))
                    return try await editor(BlockForm(known), known, visit, fault)
                }
                return HTMLResponse.redirect(
                    to: FlashMessage.contentBlockDeleted.address(.contentBlocks)
                )
            }
        )
    }

    private func found(_ visit: Visit, _ parameters: Parameters) async throws -> ContentBlock {
        guard let id = parameters.get("block").flatMap(UUID.init(uuidString:)),
            let block = try await blocks.block(id, in: visit.workspace)
        else { throw PageProblem.notFound }
        return block
    }

    private func editor(
        _ form: BlockForm,
        _ known: ContentBlock?,
        _ visit: Visit,
        _ fault: FormFault? = nil
    ) async throws -> Response {
        var holders: [ContentUses.Holder] = []
        if let known {
            holders = try await blocks.uses(in: visit.workspace).holders(ofBlock: known.name)
        }
        let page = BlockEditorPage(
            form,
            known: known,
            holders: holders,
            fault: fault,
            visit: visit
        )
        return try site.page(
            "block",
            page,
            title: page.heading,
            place: .campaigns,
            visit: visit,
            status: fault == nil ? .ok : .unprocessableContent
        )
    }

    private func save(
        _ visit: Visit,
        known: ContentBlock?,
        _ write: (BlockForm) async throws -> ContentBlock?
    ) async throws -> Response {
        let form = BlockForm(fields: visit.form)
        do {
            guard let block = try await write(form) else { throw PageProblem.notFound }
            return HTMLResponse.redirect(
                to: FlashMessage.contentBlockSaved.address(.contentBlock(block.id))
            )
        } catch let error as ValidationError {
            let fault = FormFault(error.problems[0], at: \.description, visit.words)
            return try await editor(form, known, visit, fault)
        }
    }
}
