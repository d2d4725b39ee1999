import Foundation
import Model
import WebPages

/// The draft data of a form while it is edited: its draft, and other drafts.
struct DraftFrame {
    let id: String
    /// Identifies this window among others with the same draft.
    let window: String
    let seen: Int
    let subject: String
    let version: String
    let address: String
    /// Shown after the session has ended.
    let endedText: String
    /// Other drafts of the same object.
    let others: [DraftList.Row]
    let hasOthers: Bool
    /// Shown if another member has saved the object since the editing began.
    let conflict: String?
    /// The address of the version that the other member has saved.
    let conflictAddress: String?

    /// An existing draft, or one that is not stored yet.
    init(
        _ draft: FormDraft,
        version: String,
        others: [FormDraft] = [],
        isConflict: Bool = false,
        context: ConsoleContext
    ) {
        id = draft.id.uuidString
        window = UUID().uuidString
        seen = draft.revision
        subject = draft.subject
        self.version = version
        address = ConsolePath.draft(draft.kind, draft.id.uuidString).path
        endedText = context.words("draft.ended")
        self.others = others.filter { $0.id != draft.id && $0.subject == draft.subject }
            .map { DraftList.Row($0, context: context) }
        hasOthers = !draft.subject.isEmpty && !self.others.isEmpty
        conflict = isConflict ? context.words("draft.conflict") : nil
        conflictAddress = isConflict ? draft.kind.page(of: draft.subject).path : nil
    }
}

/// The drafts of one kind, for the corresponding list.
struct DraftList {
    struct Row {
        let title: String
        let author: String
        let when: String
        /// The remark on a draft that edits an existing object.
        let note: String?
        let address: String
        let discardAddress: String

        init(_ draft: FormDraft, context: ConsoleContext) {
            let id = draft.id.uuidString
            title = draft.title.isEmpty ? context.words("draft.untitled") : draft.title
            author = draft.author
            when = context.words.dateAndTime(draft.updatedAt, in: context.zone)
            note = draft.subject.isEmpty ? nil : context.words("draft.of_saved")
            address = ConsolePath.draft(draft.kind, id).path
            discardAddress = ConsolePath.discardDraft(draft.kind, id).path
        }
    }

    let rows: [Row]
    let isShown: Bool

    init(_ drafts: [FormDraft], context: ConsoleContext) {
        rows = drafts.map { Row($0, context: context) }
        isShown = !rows.isEmpty
    }
}
