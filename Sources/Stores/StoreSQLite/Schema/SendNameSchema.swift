/// What the REST API calls sends. Their numbers, which it gave out before, still find them.
enum SendNameSchema {
    static let sql = """
        ALTER TABLE sends ADD COLUMN public_id BLOB;
        UPDATE sends SET public_id = randomblob(16);
        CREATE UNIQUE INDEX sends_by_public_id ON sends (public_id);
        """
}
