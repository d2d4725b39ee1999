import Foundation
import JSON
import NoroshiWire

/// What goes wrong at a simulated service, and when; read from a JSON file.
package struct FaultScript: Sendable, Hashable, Codable {
    /// Seeds the choice of faults by probability, so that a run can be repeated.
    package var seed: UInt64
    /// Added to every answer.
    package var latencyMilliseconds: Int
    /// The first fault that fits a request happens to it.
    package var faults: [Fault]

    package init(seed: UInt64 = 1, latencyMilliseconds: Int = 0, faults: [Fault] = []) {
        self.seed = seed
        self.latencyMilliseconds = latencyMilliseconds
        self.faults = faults
    }

    /// Reads a script; a mistake in it is named with its place.
    package init(json: Data) throws(FaultScriptError) {
        do {
            _ = try JSONDocument(json)
            // A misspelled key would be a fault that never happens, so it is looked for first.
            try Self.checkKeys(try JSONDecoder().decode(JSONValue.self, from: json))
            self = try JSONDecoder().decode(FaultScript.self, from: json)
        } catch let error as FaultScriptError {
            throw error
        } catch let error as JSONError {
            throw FaultScriptError(error, in: json)
        } catch let error as DecodingError {
            throw FaultScriptError(error)
        } catch {
            throw FaultScriptError(description: "The fault script cannot be read: \(error)")
        }
        if latencyMilliseconds < 0 {
            throw FaultScriptError(description: "latency_ms is negative.")
        }
        if latencyMilliseconds > Fault.maxDelay {
            throw FaultScriptError(
                description: "latency_ms is more than a day (\(Fault.maxDelay))."
            )
        }
        for (index, fault) in faults.enumerated() {
            if let problem = fault.problem {
                throw FaultScriptError(description: "faults[\(index)]: \(problem).")
            }
        }
    }

    private static func checkKeys(_ script: JSONValue) throws(FaultScriptError) {
        guard let members = script.objectValue else {
            throw FaultScriptError(description: "The fault script is not a JSON object.")
        }
        try checkKeys(members.keys, CodingKeys.allCases.map(\.rawValue), at: "")
        for (index, fault) in (members["faults"]?.arrayValue ?? []).enumerated() {
            try checkKeys((fault.objectValue ?? [:]).keys, Fault.keys, at: "faults[\(index)].")
        }
    }

    private static func checkKeys(
        _ keys: some Sequence<String>,
        _ known: [String],
        at place: String
    ) throws(FaultScriptError) {
        for key in keys.sorted() where !known.contains(key) {
            throw FaultScriptError(
                description: """
                    "\(place)\(key)" is not a key of fault scripts; there are \
                    \(known.sorted().joined(separator: ", ")).
                    """
            )
        }
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        seed = try container.decodeIfPresent(UInt64.self, forKey: .seed) ?? 1
        latencyMilliseconds =
            try container.decodeIfPresent(Int.self, forKey: .latencyMilliseconds) ?? 0
        faults = try container.decodeIfPresent([Fault].self, forKey: .faults) ?? []
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case seed, faults
        case latencyMilliseconds = "latency_ms"
    }
}
