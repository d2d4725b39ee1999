/// Every metric of the server. `docs/operating.md` lists them for operators.
package enum Metric {
    private static let answerBounds = [
        0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
    private static let commitBounds = [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
    ]
    private static let pushBounds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

    // MARK: The process

    package static let build = MetricDefinition(
        "noroshi_build_info",
        .gauge,
        labels: ["version"],
        "Always 1; the label names the version."
    )
    package static let start = MetricDefinition(
        "process_start_time_seconds",
        .gauge,
        "When the process started, in seconds since 1970."
    )
    package static let processorTime = MetricDefinition(
        "process_cpu_seconds_total",
        .counter,
        "Processor time of the process."
    )
    package static let memory = MetricDefinition(
        "process_resident_memory_bytes",
        .gauge,
        "Memory of the process that is in use."
    )
    package static let openFiles = MetricDefinition(
        "process_open_fds",
        .gauge,
        "Open files and connections of the process."
    )
    package static let fileLimit = MetricDefinition(
        "process_max_fds",
        .gauge,
        "How many files and connections the process may have open."
    )

    // MARK: Requests

    package static let requests = MetricDefinition(
        "noroshi_http_requests_total",
        .counter,
        labels: ["method", "route", "status"],
        "Answered requests, by the pattern of their route."
    )
    package static let requestDuration = MetricDefinition(
        "noroshi_http_request_duration_seconds",
        .histogram(bounds: answerBounds),
        labels: ["method", "route"],
        "Time from a request's head to the beginning of its answer."
    )
    package static let requestsInFlight = MetricDefinition(
        "noroshi_http_requests_in_flight",
        .gauge,
        "Requests that wait for the beginning of their answer."
    )
    package static let connections = MetricDefinition(
        "noroshi_http_connections",
        .gauge,
        "Open connections, and requests of HTTP/2."
    )
    package static let connectionsTurnedAway = MetricDefinition(
        "noroshi_http_connections_turned_away_total",
        .counter,
        labels: ["cause"],
        "Connections that found no place (refused) or made room for another (evicted)."
    )

    // MARK: Ingestion

    package static let ingestItems = MetricDefinition(
        "noroshi_ingest_items_total",
        .counter,
        labels: ["kind", "outcome"],
        "Records and elements of requests that were stored, were known already, or break a rule."
    )
    package static let ingestRequests = MetricDefinition(
        "noroshi_ingest_requests_total",
        .counter,
        labels: ["outcome"],
        "Batches: stored, refused because too much waits (overloaded), or failed."
    )
    package static let commitDuration = MetricDefinition(
        "noroshi_ingest_commit_duration_seconds",
        .histogram(bounds: commitBounds),
        "Time of a commit of ingestion, which takes many requests."
    )
    package static let ingestWaitingItems = MetricDefinition(
        "noroshi_ingest_waiting_items",
        .gauge,
        "Items that wait for a commit; from 200,000 on requests are refused."
    )
    package static let ingestWaitingBytes = MetricDefinition(
        "noroshi_ingest_waiting_bytes",
        .gauge,
        "Bytes of the requests that wait for a commit; from 134,217,728 on they are refused."
    )

    // MARK: Delivery

    package static let pushes = MetricDefinition(
        "noroshi_pushes_total",
        .counter,
        labels: ["provider", "outcome", "reason"],
        "What became of an attempt to push: accepted, rejected, skipped, unknown, or to be tried "
            + "again (retry, postponed)."
    )
    package static let pushDuration = MetricDefinition(
        "noroshi_push_duration_seconds",
        .histogram(bounds: pushBounds),
        labels: ["provider"],
        "Time from handing a push to its provider's client to the answer."
    )
    package static let pushesClaimed = MetricDefinition(
        "noroshi_delivery_claimed_pushes",
        .gauge,
        "Pushes that this server holds and whose outcome is not stored yet; at most 4,000."
    )
    package static let pushesInFlight = MetricDefinition(
        "noroshi_delivery_in_flight_pushes",
        .gauge,
        labels: ["app", "provider"],
        "Pushes of a lane that wait for the provider's answer or for its record."
    )
    package static let pushBytesInFlight = MetricDefinition(
        "noroshi_delivery_in_flight_bytes",
        .gauge,
        "Approximate size of the messages of those pushes."
    )
    package static let laneClosed = MetricDefinition(
        "noroshi_delivery_lane_closed",
        .gauge,
        labels: ["app", "provider"],
        "1 while an app's pushes wait because its provider fails or refuses the credentials."
    )
    package static let unrecordedOutcomes = MetricDefinition(
        "noroshi_delivery_unrecorded_outcomes",
        .gauge,
        "Answers of providers that wait to be stored."
    )
    package static let recordDuration = MetricDefinition(
        "noroshi_delivery_record_duration_seconds",
        .histogram(bounds: commitBounds),
        "Time of a commit of outcomes."
    )
    package static let waitingPushes = MetricDefinition(
        "noroshi_delivery_waiting_pushes",
        .gauge,
        labels: ["cause"],
        "Pushes of open sends in the ledger: for the first time (new) or to be tried again (retry)."
    )
    package static let openSends = MetricDefinition(
        "noroshi_sends_open",
        .gauge,
        labels: ["state"],
        "Sends that are not over."
    )
    package static let sendingHeld = MetricDefinition(
        "noroshi_sending_held",
        .gauge,
        "1 while a restored server sends nothing until ./noroshi release."
    )

    // MARK: The audience

    package static let audienceReady = MetricDefinition(
        "noroshi_audience_ready",
        .gauge,
        "1 when all users are in memory."
    )
    package static let audienceUsers = MetricDefinition(
        "noroshi_audience_users",
        .gauge,
        "Users in memory, of all workspaces."
    )
    package static let audienceMemory = MetricDefinition(
        "noroshi_audience_memory_bytes",
        .gauge,
        labels: ["content"],
        "Memory of the users' columns."
    )
    package static let audienceLag = MetricDefinition(
        "noroshi_audience_lag_seconds",
        .gauge,
        "How long ago the columns last held everything that was stored."
    )

    // MARK: Accounts

    package static let signIns = MetricDefinition(
        "noroshi_sign_ins_total",
        .counter,
        labels: ["outcome"],
        "Tries to sign in: succeeded, failed, limited (too many wrong ones) or busy (too many at "
            + "once)."
    )
    package static let credentialExpiry = MetricDefinition(
        "noroshi_credential_expiry_timestamp_seconds",
        .gauge,
        labels: ["app", "provider"],
        "When an app's push certificate ends, in seconds since 1970; keys have no end."
    )

    // MARK: The store

    package static let storeWritable = MetricDefinition(
        "noroshi_store_writable",
        .gauge,
        "1 while the store can be written."
    )
    package static let storeWrites = MetricDefinition(
        "noroshi_store_writes_total",
        .counter,
        "Transactions that wrote."
    )
    package static let unreadableRows = MetricDefinition(
        "noroshi_store_unreadable_rows",
        .gauge,
        "Stored rows that were set aside because they cannot be read; see ./noroshi doctor."
    )
    package static let servers = MetricDefinition(
        "noroshi_servers",
        .gauge,
        "Servers that work on the database, this one included; always 1 on SQLite."
    )
    package static let serversInRole = MetricDefinition(
        "noroshi_servers_in_role",
        .gauge,
        labels: ["role"],
        "Those of them that take requests, send pushes (delivery) or may lead (leadership)."
    )
    package static let serverLeads = MetricDefinition(
        "noroshi_server_leads",
        .gauge,
        "1 while this server does what one server does for all of the database."
    )
    package static let serverClockOffset = MetricDefinition(
        "noroshi_server_clock_offset_seconds",
        .gauge,
        "How much the clock of this server is ahead of the database's; always 0 on SQLite."
    )
    package static let databaseSize = MetricDefinition(
        "noroshi_database_size_bytes",
        .gauge,
        "Size of the database's file."
    )
    package static let logSize = MetricDefinition(
        "noroshi_database_wal_size_bytes",
        .gauge,
        "Size of its write-ahead log: up to about 130 MB, and more where something reads for long."
    )
    package static let diskFree = MetricDefinition(
        "noroshi_disk_free_bytes",
        .gauge,
        "Room that is left on the disk of the database."
    )
    package static let diskSize = MetricDefinition(
        "noroshi_disk_size_bytes",
        .gauge,
        "Size of that disk."
    )

    package static let backupTime = MetricDefinition(
        "noroshi_backup_newest_timestamp_seconds",
        .gauge,
        "When the newest backup in the folder of the schedule was written, in seconds since 1970."
    )
    package static let backupFailures = MetricDefinition(
        "noroshi_backup_failures_total",
        .counter,
        "Backups of the schedule that could not be written."
    )

    package static let databaseFree = MetricDefinition(
        "noroshi_database_free_bytes",
        .gauge,
        "Room inside the database's file that removed rows have left for the next ones."
    )
    package static let removedRows = MetricDefinition(
        "noroshi_retention_removed_rows_total",
        .counter,
        labels: ["kind"],
        "Rows removed because they were older than the workspace keeps them."
    )
    package static let retentionTime = MetricDefinition(
        "noroshi_retention_finished_timestamp_seconds",
        .gauge,
        labels: ["kind"],
        "When the removal ended last, in the workspace where that is longest ago, in seconds since 1970."
    )

    package static let factWebhooks = MetricDefinition(
        "noroshi_fact_webhooks",
        .gauge,
        labels: ["state"],
        "Addresses that get facts; dead are those that were given up after a day of failures."
    )
    package static let factWebhookLag = MetricDefinition(
        "noroshi_fact_webhook_lag_numbers",
        .gauge,
        "How many numbers of facts the active address that is furthest behind has not got yet."
    )
    package static let factWebhookFailing = MetricDefinition(
        "noroshi_fact_webhook_failing_seconds",
        .gauge,
        "For how long nothing has arrived at the active address that fails the longest."
    )

    package static let certificateExpiry = MetricDefinition(
        "noroshi_tls_certificate_expiry_timestamp_seconds",
        .gauge,
        "When the certificate of the server ends, in seconds since 1970; only with one."
    )

    /// In the order of the page and of the documentation.
    package static let all = [
        build, start, processorTime, memory, openFiles, fileLimit, requests, requestDuration,
        requestsInFlight, connections, connectionsTurnedAway, ingestItems, ingestRequests,
        commitDuration, ingestWaitingItems, ingestWaitingBytes, pushes, pushDuration,
        pushesClaimed, pushesInFlight, pushBytesInFlight, laneClosed, unrecordedOutcomes,
        recordDuration, waitingPushes, openSends, sendingHeld, audienceReady, audienceUsers,
        audienceMemory, audienceLag, signIns, credentialExpiry, storeWritable, storeWrites,
        unreadableRows, servers, serversInRole, serverLeads, serverClockOffset, databaseSize,
        logSize,
        diskFree,
        diskSize, backupTime, backupFailures, databaseFree, removedRows, retentionTime,
        factWebhooks, factWebhookLag, factWebhookFailing, certificateExpiry,
    ]
}
