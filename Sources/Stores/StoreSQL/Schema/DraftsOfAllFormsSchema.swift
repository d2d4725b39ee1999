/// Drafts of every kind of form: the edited object, the window that wrote last, and the outcome.
enum DraftsOfAllFormsSchema {
    static let sql = """
        ALTER TABLE form_drafts ADD COLUMN subject TEXT NOT NULL DEFAULT '';
        ALTER TABLE form_drafts ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE form_drafts ADD COLUMN written_in TEXT NOT NULL DEFAULT '';
        ALTER TABLE form_drafts ADD COLUMN outcome TEXT;
        UPDATE form_drafts SET outcome = CAST(send_id AS TEXT) WHERE send_id IS NOT NULL;
        ALTER TABLE form_drafts DROP COLUMN send_id;
        """
}
