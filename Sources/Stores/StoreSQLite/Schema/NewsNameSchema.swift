/// What a news item is called wherever it was taken to; its number is of this server alone.
enum NewsNameSchema {
    static let sql = """
        ALTER TABLE news ADD COLUMN public_id BLOB;
        UPDATE news SET public_id = randomblob(16);
        CREATE UNIQUE INDEX news_by_public_id ON news (public_id);
        """
}
