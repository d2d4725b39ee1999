import Foundation

/// The simulator's own requests below `/simulator`, with which tests in any language register
/// devices, inject faults and read accepted pushes.
enum GatewayControl {
    static let prefix = "/simulator/"

    static func isControl(_ request: GatewayRequest) -> Bool {
        request.path.hasPrefix(prefix)
    }

    /// The path below the prefix, in parts.
    static func parts(_ request: GatewayRequest) -> [String] {
        request.path.prefix { $0 != "?" }.dropFirst(prefix.count).split(separator: "/").map {
            $0.removingPercentEncoding ?? String($0)
        }
    }

    /// A value of the query.
    static func query(_ name: String, _ request: GatewayRequest) -> String? {
        let items = URLComponents(string: request.path)?.queryItems
        return items?.first { $0.name == name }?.value
    }

    /// Number of accepted pushes that the client already has.
    static func after(_ request: GatewayRequest) throws(GatewayControlError) -> Int {
        guard let text = query("after", request) else { return 0 }
        guard let number = Int(text), number >= 0 else {
            throw GatewayControlError(description: "after is a number of pushes, 0 or more")
        }
        return number
    }

    /// Responds with the accepted pushes, of one device if the query names it.
    static func accepted<Item: GatewayItem>(
        _ items: [Item],
        of count: Int,
        _ request: GatewayRequest
    ) -> GatewayResponse {
        let address = query("address", request)
        let asked = items.filter { address == nil || $0.address == address }
        var response = json(asked.map(\.record))
        response.headers.append((name: "accepted-count", value: String(count)))
        return response
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

    /// Reads a JSON body; an error is reported as text.
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

/// The error of a request to the simulator itself.
struct GatewayControlError: Error {
    var description: String
}
