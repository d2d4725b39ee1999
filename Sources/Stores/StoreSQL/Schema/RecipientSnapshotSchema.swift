/// The index that finds a user in the lists of fixed audiences without reading all sends.
///
/// `sends.extraction` has a fourth value from here on: 3 is a planned send that has kept the users
/// who were on its list and got no dispatch.
enum RecipientSnapshotSchema {
    static let sql = """
        CREATE INDEX sends_frozen ON sends (workspace_id, id) WHERE extraction > 0;
        """

    /// The sends of a workspace that have or had such a list.
    static let sends = "SELECT id FROM sends WHERE extraction > 0 AND workspace_id = ?"
}
