/// The app that an event came from: 0 is none, null is not known, of events stored before.
///
/// `figures_since` says from when on a figure is counted, where rows from before cannot tell it.
enum EventAppSchema {
    static let sql = """
        ALTER TABLE events ADD COLUMN app_id INTEGER;
        CREATE TABLE figures_since (
            name TEXT PRIMARY KEY,
            time INTEGER NOT NULL
        ) WITHOUT ROWID;
        INSERT INTO figures_since SELECT '$uninstalled', CAST(strftime('%s', 'now') AS INTEGER) * 1000
            WHERE EXISTS (SELECT 1 FROM sends);
        """
}
