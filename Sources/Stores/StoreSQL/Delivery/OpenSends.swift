/// SQL fragments that keep queries on the partial indexes, so that their cost depends on unfinished
/// sends and queued dispatches only.
enum OpenSends {
    /// The exact condition of the index `sends_open`: SQLite uses it only for a query that repeats
    /// it.
    static let condition = "state IN ('scheduled', 'planning', 'sending')"

    /// Queued dispatches, through the index that contains no others. SQLite would prefer the
    /// primary key and read every finished row to find out that none is queued.
    static let waitingRows = "dispatches INDEXED BY dispatches_due"

    /// A common table `waiting (send_id, lane)` of the lanes with queued dispatches of each send that is
    /// planned or sent: with it the first due row of a lane is one seek, however many rows wait.
    static let waitingLanes = """
        waiting (send_id, lane) AS (
            SELECT id, (SELECT min(lane) FROM \(waitingRows) WHERE send_id = sends.id AND state = 0)
            FROM sends WHERE \(condition) AND state IN ('planning', 'sending')
            UNION ALL
            SELECT send_id, (SELECT min(lane) FROM \(waitingRows)
                WHERE send_id = waiting.send_id AND state = 0 AND lane > waiting.lane)
            FROM waiting WHERE lane IS NOT NULL)
        """

    /// The dispatches of one user in one send. Here too SQLite would prefer the primary key, and read
    /// every dispatch of the send.
    static let rowsOfUser = "dispatches INDEXED BY dispatches_by_profile"
}
