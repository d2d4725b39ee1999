/// Requests for users to enter journeys at a time. Whoever enters at once has the time 0.
enum JourneyScheduleSchema {
    static let sql = """
        CREATE TABLE journey_schedules (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            public_id BLOB NOT NULL UNIQUE,
            journey_id INTEGER NOT NULL REFERENCES journeys (id) ON DELETE CASCADE,
            due_at INTEGER NOT NULL,
            is_cancelled INTEGER NOT NULL DEFAULT 0,
            created_at INTEGER NOT NULL
        );
        CREATE INDEX journey_schedules_by_journey ON journey_schedules (journey_id);
        ALTER TABLE journey_requests ADD COLUMN due_at INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE journey_requests ADD COLUMN schedule_id INTEGER;
        DROP INDEX journey_requests_by_journey;
        CREATE INDEX journey_requests_due ON journey_requests (journey_id, due_at, id);
        CREATE INDEX journey_requests_by_schedule ON journey_requests (schedule_id)
            WHERE schedule_id IS NOT NULL;
        ALTER TABLE journey_request_keys ADD COLUMN schedule BLOB;
        """
}
