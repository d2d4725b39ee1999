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
            use: gate.member { context, _ in
                try site.page(
                    "blocks",
                    BlocksPage(try await blocks.uses(in: context.workspace), context: context),
                    title: context.words("blocks.title"),
                    place: .campaigns,
                    context: context
                )
            }
        )
        router.get(
            RouterPath(ConsolePath.newContentBlock.path),
            use: gate.member(.marketer) { context, _ in
                try await editor(BlockForm(), nil, context)
            }
        )
        router.post(
            RouterPath(ConsolePath.newContentBlock.path),
            use: gate.member(.marketer) { context, _ in
                try await save(context, known: nil) { form in
                    try await blocks.create(by: context.actor, form.apply)
                }
            }
        )
        router.get(
            RouterPath(ConsolePath.contentBlock(":block").path),
            use: gate.member { context, parameters in
                let known = try await found(context, parameters)
                return try await editor(BlockForm(known), known, context)
            }
        )
        router.post(
            RouterPath(ConsolePath.contentBlock(":block").path),
            use: gate.member(.marketer) { context, parameters in
                let known = try await found(context, parameters)
                return try await save(context, known: known) { form in
                    try await blocks.change(known.id, by: context.actor, form.apply)
                }
            }
        )
        router.post(
            RouterPath(ConsolePath.deleteContentBlock(":block").path),
            use: gate.member(.marketer) { context, parameters in
                let known = try await found(context, parameters)
                do {
                    _ = try await blocks.delete(known.id, by: context.actor)
                } catch let refusal as RefusalError {
                    let fault = FormFieldError(field: "", text: context.words(refusal.reason))
                    return try await editor(BlockForm(known), known, context, fault)
                }
                return HTMLResponse.redirect(
                    to: FlashMessage.contentBlockDeleted.address(.contentBlocks)
                )
            }
        )
    }

    private func found(_ context: ConsoleContext, _ parameters: Parameters) async throws
        -> ContentBlock
    {
        guard let id = parameters.get("block").flatMap(UUID.init(uuidString:)),
            let block = try await blocks.block(id, in: context.workspace)
        else { throw PageError.notFound }
        return block
    }

    private func editor(
        _ form: BlockForm,
        _ known: ContentBlock?,
        _ context: ConsoleContext,
        _ fault: FormFieldError? = nil
    ) async throws -> Response {
        var holders: [ContentUses.Holder] = []
        if let known {
            holders = try await blocks.uses(in: context.workspace).holders(ofBlock: known.name)
        }
        let page = BlockEditorPage(
            form,
            known: known,
            holders: holders,
            fault: fault,
            context: context
        )
        return try site.page(
            "block",
            page,
            title: page.heading,
            place: .campaigns,
            context: context,
            status: fault == nil ? .ok : .unprocessableContent
        )
    }

    private func save(
        _ context: ConsoleContext,
        known: ContentBlock?,
        _ write: (BlockForm) async throws -> ContentBlock?
    ) async throws -> Response {
        let form = BlockForm(fields: context.form)
        do {
            guard let block = try await write(form) else { throw PageError.notFound }
            return HTMLResponse.redirect(
                to: FlashMessage.contentBlockSaved.address(.contentBlock(block.id))
            )
        } catch let error as ValidationError {
            let fault = FormFieldError(error.problems[0], at: \.description, context.words)
            return try await editor(form, known, context, fault)
        }
    }
}
