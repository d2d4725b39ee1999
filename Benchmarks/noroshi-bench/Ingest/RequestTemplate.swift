import Foundation
import NIOCore

/// A request prepared before the measurement, in which only the variable parts are rewritten: the
/// times of its events, which follow the clock, and its key.
struct RequestTemplate: Sendable {
    private static let timeLength = IngestWorkload.time(Date(timeIntervalSince1970: 0)).utf8.count

    private let request: ByteBuffer
    private let keyOffset: Int?
    /// The offsets of the times, and their ages relative to the request in milliseconds.
    private let times: [(offset: Int, age: Int)]

    /// - Parameters:
    ///   - request: The request on the wire, made for `date`.
    ///   - hasKey: Whether it has an Idempotency-Key.
    init(_ request: [UInt8], madeFor date: Date, hasKey: Bool) {
        self.request = ByteBuffer(bytes: request)
        keyOffset = hasKey ? Self.offsets(after: "Idempotency-Key: ", in: request).first : nil
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        times = Self.offsets(after: "\"time\":\"", in: request).compactMap { offset in
            let text = String(decoding: request[offset..<offset + Self.timeLength], as: UTF8.self)
            guard let time = try? style.parse(text) else { return nil }
            return (offset, Int((date.timeIntervalSince(time) * 1000).rounded()))
        }
    }

    /// The request for a date.
    ///
    /// - Parameter requestKey: A key of the same length as the original one.
    func request(at date: Date, requestKey: String) -> ByteBuffer {
        var request = request
        if let keyOffset { request.setString(requestKey, at: keyOffset) }
        let now = Int(date.timeIntervalSince1970 * 1000)
        // Most times of a request are in the same minute, whose text is created once.
        var minutes: [Int: String] = [:]
        for (offset, age) in times {
            let (minute, rest) = (now - age).quotientAndRemainder(dividingBy: 60_000)
            let text: String
            if let known = minutes[minute] {
                text = known
            } else {
                let date = Date(timeIntervalSince1970: Double(minute) * 60)
                text = String(IngestWorkload.time(date).prefix(17))
                minutes[minute] = text
            }
            request.setString(text, at: offset)
            let digits = [10_000, 1000, 100, 10, 1].map { UInt8(48 + rest / $0 % 10) }
            request.setBytes(digits[..<2], at: offset + 17)
            request.setBytes(digits[2...], at: offset + 20)
        }
        return request
    }

    private static func offsets(after mark: String, in bytes: [UInt8]) -> [Int] {
        let mark = Array(mark.utf8)
        guard bytes.count >= mark.count else { return [] }
        return (0...(bytes.count - mark.count)).compactMap { start in
            bytes[start..<start + mark.count].elementsEqual(mark) ? start + mark.count : nil
        }
    }
}
