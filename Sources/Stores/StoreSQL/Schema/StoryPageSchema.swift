/// The page of a push story on which the push was opened, from 1: of each interaction, and of the first
/// open of a dispatch, from which opens are counted by page.
enum StoryPageSchema {
    static let sql = """
        ALTER TABLE push_interactions ADD COLUMN page INTEGER;
        ALTER TABLE dispatches ADD COLUMN opened_page INTEGER;
        """
}
