import Foundation

/// The part of a simulator that is not the service itself: its own requests below `/simulator`,
/// by which tests in any language register devices, play faults and read what was accepted.
enum GatewayControl {
    static let prefix = "/simulator/"

    static func isControl(_ request: GatewayRequest) -> Bool {
        request.path.hasPrefix(prefix)
    }

    /// The path below the prefix, in parts.
    static func parts(_ request: GatewayRequest) -> [String] {
        request.path.dropFirst(prefix.count).split(separator: "/").map { part in
            part.removingPercentEncoding ?? String(part)
        }
    }

    static func json(_ value: some Encodable, status: Int = 200) -> GatewayResponse {
        response(status, RecordText.json(value))
    }

    static func response(_ status: Int, _ body: [UInt8]) -> GatewayResponse {
        GatewayResponse(
            status: status,
            headers: [(name: "content-type", value: "application/json")],
            body: body
        )
    }

    static func problem(_ text: String, status: Int = 400) -> GatewayResponse {
        json(["error": text], status: status)
    }

    /// Reads a JSON body; a mistake is answered in words.
    static func read<Value: Decodable>(
        _ type: Value.Type,
        _ request: GatewayRequest
    ) throws(GatewayControlError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(request.body))
        } catch DecodingError.keyNotFound(let key, _) {
            throw GatewayControlError(description: "\(key.stringValue) is missing")
        } catch {
            throw GatewayControlError(description: "the body is not the JSON that is expected")
        }
    }
}

/// What is wrong with a request to the simulator itself.
struct GatewayControlError: Error {
    var description: String
}
