/// What finds the lists of frozen audiences of a user without reading all sends.
///
/// `sends.extraction` has a fourth value from here on: 3 is a send that is planned and has kept who
/// was on its list and got no row in the ledger.
enum FrozenAudienceSchema {
    static let sql = """
        CREATE INDEX sends_frozen ON sends (workspace_id, id) WHERE extraction > 0;
        """

    /// The sends of a workspace that have or had such a list.
    static let sends = "SELECT id FROM sends WHERE extraction > 0 AND workspace_id = ?"
}
