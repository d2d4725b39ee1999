/// Whoever deletes the last events takes the numbers of their facts along (`EventDeletion`). A trigger did, and was
/// asked for each row that is removed: SQLite took half as long again.
enum EventEndSchema {
    static let sql = "DROP TRIGGER facts_of_events_end;"

    static let postgres = """
        DROP TRIGGER facts_of_events_end ON events;
        DROP FUNCTION note_end_of_events();
        """
}
