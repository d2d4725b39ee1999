/// The app that an event came from: 0 means none, NULL means unknown, for events stored before.
///
/// `figures_since` is the start of a count whose earlier rows lack the necessary data.
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
