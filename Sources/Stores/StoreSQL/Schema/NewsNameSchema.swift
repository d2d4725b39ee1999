/// The identifier of a news item that stays the same on every server; its number is local to this
/// one.
enum NewsNameSchema {
    static let sql = """
        ALTER TABLE news ADD COLUMN public_id BLOB;
        UPDATE news SET public_id = randomblob(16);
        CREATE UNIQUE INDEX news_by_public_id ON news (public_id);
        """
}
