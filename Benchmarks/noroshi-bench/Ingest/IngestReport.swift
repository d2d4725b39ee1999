import Foundation

/// The results of `bench ingest`.
struct IngestReport: Encodable {
    struct Run: Encodable {
        enum Kind: String, Encodable, CaseIterable {
            /// Events that happened within the last two seconds.
            case plain
            /// The same, with an Idempotency-Key for every request, from which event ids are
            /// derived.
            case idempotent
            /// Events that occurred within the last two hours, in no order.
            case late
        }

        var kind: Kind
        var events: Int
        var seconds: Double
        var events_per_second: Double
        var p50_milliseconds: Double
        var p99_milliseconds: Double
        var refusals: Int
        /// Processor time per event, in microseconds.
        var server_processor_microseconds: Double?
        var generator_processor_microseconds: Double
        /// The rate of two processors without other load or waiting.
        var events_per_second_of_two_processors: Double?
    }

    /// What was measured on one database.
    struct Database: Encodable {
        var kind: String
        var seeding_events_per_second: Double
        var runs: [Run] = []
        var server_peak_memory_megabytes: Double?

        func show() {
            for run in runs {
                print(
                    """
                    \(kind), \(run.kind.rawValue): \(Int(run.events_per_second)) events/s until \
                    durable, p50 \(run.p50_milliseconds) ms, p99 \(run.p99_milliseconds) ms, \
                    \(run.refusals) refusals
                    """
                )
                if let server = run.server_processor_microseconds,
                    let bound = run.events_per_second_of_two_processors
                {
                    print(
                        """
                          processor time of an event: server \(server) µs, generator \
                        \(run.generator_processor_microseconds) µs: two processors alone give at \
                        most \(Int(bound)) events/s
                        """
                    )
                }
            }
            if let memory = server_peak_memory_megabytes {
                print("\(kind), server's memory: \(memory) MB")
            }
        }
    }

    var benchmark = "ingest"
    var stored_events: Int
    var users: Int
    var connections: Int
    var events_of_a_body: Int
    var processors = ProcessInfo.processInfo.activeProcessorCount
    var json: JSONReaders
    var databases: [Database] = []

    func show(asJSON: Bool) throws {
        if asJSON {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            print(String(decoding: try encoder.encode(self), as: UTF8.self))
            return
        }
        print(
            """
            \(stored_events) events stored before; \(connections) connections, \
            \(events_of_a_body) events a body of \(json.body_bytes) bytes
            """
        )
        for database in databases { database.show() }
        print(
            """
            JSON, MB/s: reader \(Int(json.reader_mb_per_second)), to items \
            \(Int(json.items_mb_per_second)), to a tree \(Int(json.tree_mb_per_second)); \
            JSONDecoder \(Int(json.json_decoder_mb_per_second)), JSONSerialization \
            \(Int(json.json_serialization_mb_per_second))
            """
        )
    }
}
