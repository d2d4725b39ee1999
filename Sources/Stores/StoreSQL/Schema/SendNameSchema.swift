/// The ids of sends in the REST API. The numbers that it returned before still work.
enum SendNameSchema {
    static let sql = """
        ALTER TABLE sends ADD COLUMN public_id BLOB;
        UPDATE sends SET public_id = randomblob(16);
        CREATE UNIQUE INDEX sends_by_public_id ON sends (public_id);
        """
}
