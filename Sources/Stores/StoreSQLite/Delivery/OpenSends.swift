/// What queries say so that their cost does not grow with the sends that are over, nor with the
/// rows of the ledger that have their outcome.
enum OpenSends {
    /// The words of the index `sends_open`: SQLite uses it only for a query that repeats them.
    static let condition = "state IN ('scheduled', 'planning', 'sending')"

    /// Rows of the ledger that wait, by the index that has no others. SQLite would prefer the
    /// primary key, and read past every row that is done to find out that none waits.
    static let waitingRows = "dispatches INDEXED BY dispatches_due"
}
