/// The ends of entries by their time, as entries and conversions have them.
enum JourneyEndSchema {
    static let sql = """
        CREATE INDEX journey_entries_ended ON journey_entries (journey_id, ended_at)
            WHERE ended_at IS NOT NULL;
        """
}
