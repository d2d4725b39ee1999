/// SQL fragments that keep queries on the partial indexes, so that their cost depends on unfinished
/// sends and queued dispatches only.
enum OpenSends {
    /// The exact condition of the index `sends_open`: SQLite uses it only for a query that repeats
    /// it.
    static let condition = "state IN ('scheduled', 'planning', 'sending')"

    /// Queued dispatches, through the index that contains no others. SQLite would prefer the
    /// primary key and read every finished row to find out that none is queued.
    static let waitingRows = "dispatches INDEXED BY dispatches_due"

    /// The dispatches of one user in one send. Here too SQLite would prefer the primary key, and read
    /// every dispatch of the send.
    static let rowsOfUser = "dispatches INDEXED BY dispatches_by_profile"
}
