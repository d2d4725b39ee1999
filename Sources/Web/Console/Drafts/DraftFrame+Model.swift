import Foundation
import Model
import WebPages

/// What a form needs to be kept while it is written: its draft, and what else is being written.
struct DraftFrame {
    let id: String
    /// Tells this window from another one with the same draft.
    let window: String
    let seen: Int
    let subject: String
    let version: String
    let address: String
    /// Shown when nobody is logged in any more.
    let endedText: String
    /// Other drafts of the same thing.
    let others: [DraftList.Row]
    let hasOthers: Bool
    /// Said where somebody else has saved since the editing began.
    let conflict: String?
    /// Where what they have saved is seen.
    let conflictAddress: String?

    /// A draft that is there already, or of which nothing is kept yet.
    init(
        _ draft: FormDraft,
        version: String,
        others: [FormDraft] = [],
        isConflict: Bool = false,
        visit: Visit
    ) {
        id = draft.id.uuidString
        window = UUID().uuidString
        seen = draft.revision
        subject = draft.subject
        self.version = version
        address = ConsolePath.draft(draft.kind, draft.id.uuidString).path
        endedText = visit.words("draft.ended")
        self.others = others.filter { $0.id != draft.id && $0.subject == draft.subject }
            .map { DraftList.Row($0, visit: visit) }
        hasOthers = !draft.subject.isEmpty && !self.others.isEmpty
        conflict = isConflict ? visit.words("draft.conflict") : nil
        conflictAddress = isConflict ? draft.kind.page(of: draft.subject).path : nil
    }
}

/// The drafts of one kind, as the list of what they become shows them.
struct DraftList {
    struct Row {
        let title: String
        let author: String
        let when: String
        /// What is said of one that edits something: it is not new.
        let note: String?
        let address: String
        let discardAddress: String

        init(_ draft: FormDraft, visit: Visit) {
            let id = draft.id.uuidString
            title = draft.title.isEmpty ? visit.words("draft.untitled") : draft.title
            author = draft.author
            when = visit.words.dateAndTime(draft.updatedAt, in: visit.zone)
            note = draft.subject.isEmpty ? nil : visit.words("draft.of_saved")
            address = ConsolePath.draft(draft.kind, id).path
            discardAddress = ConsolePath.discardDraft(draft.kind, id).path
        }
    }

    let rows: [Row]
    let isShown: Bool

    init(_ drafts: [FormDraft], visit: Visit) {
        rows = drafts.map { Row($0, visit: visit) }
        isShown = !rows.isEmpty
    }
}
