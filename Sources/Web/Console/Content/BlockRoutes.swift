import Foundation
import Hummingbird
import Model
import WebPages

/// The content blocks: list, editor, deletion.
struct BlockRoutes: Sendable {
    private let site: ConsoleSite
    private let gate: Gate
    private let content: any ContentPages

    init(site: ConsoleSite, content: any ContentPages) {
        self.site = site
        self.content = content
        gate = Gate(site: site)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.contentBlocks.path),
            use: gate.member { visit, _ in
                let blocks = try await content.blocks(for: visit.member)
                return try site.page(
                    "blocks",
                    BlocksPage(blocks, visit: visit),
                    title: visit.words("blocks.title"),
                    place: .campaigns,
                    visit: visit
                )
            }
        )
        router.get(
            RouterPath(ConsolePath.newContentBlock.path),
            use: gate.member(.marketer) { visit, _ in try editor(BlockDraft(), nil, visit) }
        )
        router.post(
            RouterPath(ConsolePath.newContentBlock.path),
            use: gate.member(.marketer) { visit, _ in try await save(visit, known: nil) }
        )
        router.get(
            RouterPath(ConsolePath.contentBlock(":block").path),
            use: gate.member { visit, parameters in
                let known = try await found(visit, parameters)
                return try editor(BlockDraft(known), known, visit)
            }
        )
        router.post(
            RouterPath(ConsolePath.contentBlock(":block").path),
            use: gate.member(.marketer) { visit, parameters in
                try await save(visit, known: found(visit, parameters))
            }
        )
        router.post(
            RouterPath(ConsolePath.deleteContentBlock(":block").path),
            use: gate.member(.marketer) { visit, parameters in
                let known = try await found(visit, parameters)
                do {
                    try await content.deleteBlock(id: known.row.id, for: visit.member)
                } catch let rejected as ContentRejected {
                    return try editor(BlockDraft(known), known, visit, rejected)
                }
                return PageAnswer.redirect(
                    to: Notice.contentBlockDeleted.address(.contentBlocks)
                )
            }
        )
    }

    private func found(_ visit: Visit, _ parameters: Parameters) async throws -> BlockDetail {
        guard let id = parameters.get("block"),
            let block = try await content.block(id: id, for: visit.member)
        else { throw PageProblem.notFound }
        return block
    }

    private func editor(
        _ draft: BlockDraft,
        _ known: BlockDetail?,
        _ visit: Visit,
        _ rejected: ContentRejected? = nil
    ) throws -> Response {
        let page = BlockPage(draft, known: known, rejected: rejected, visit: visit)
        return try site.page(
            "block",
            page,
            title: page.heading,
            place: .campaigns,
            visit: visit,
            status: rejected == nil ? .ok : .unprocessableContent
        )
    }

    private func save(_ visit: Visit, known: BlockDetail?) async throws -> Response {
        let draft = BlockDraft(fields: visit.form)
        do {
            let id = try await content.save(draft, id: known?.row.id, for: visit.member)
            return PageAnswer.redirect(to: Notice.contentBlockSaved.address(.contentBlock(id)))
        } catch let rejected as ContentRejected {
            return try editor(draft, known, visit, rejected)
        }
    }
}
