/// Events of a name by quarters of an hour instead of by their times (``EventTimes``).
enum EventQuarterSchema {
    /// PostgreSQL understands it, too.
    static let sql = """
        DROP INDEX events_by_name;
        CREATE INDEX events_by_quarter ON events (name_id, (time / 900000), id, time, profile_id);
        """
}
