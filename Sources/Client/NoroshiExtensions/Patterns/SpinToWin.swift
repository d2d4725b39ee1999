import Foundation
import NoroshiWire

/// An interactive pattern: a wheel of prizes that is spun once.
public struct NoroshiSpinToWin: Sendable, Equatable {
    /// A field of the wheel.
    public struct Prize: Sendable, Equatable {
        /// The label.
        public var label: String
        /// The likelihood relative to the other fields; 0 never wins.
        public var weight: Int

        /// A field with a likelihood in proportion to `weight`.
        public init(label: String, weight: Int = 1) {
            self.label = label
            self.weight = max(0, weight)
        }
    }

    /// The result of a spin.
    public struct Result: Sendable, Equatable {
        /// The index of the prize.
        public var index: Int
        /// The prize.
        public var prize: Prize
        /// The angle by which the wheel turns clockwise, in degrees, including five full turns,
        /// until the middle of the field is at the top.
        public var degrees: Double
    }

    /// The fields, clockwise from the top.
    public let prizes: [Prize]
    /// The result; `nil` before the spin.
    public private(set) var result: Result?

    /// A wheel; `nil` if no field can win.
    public init?(prizes: [Prize]) {
        guard prizes.contains(where: { $0.weight > 0 }) else { return nil }
        self.prizes = prizes
    }

    /// A wheel as the push describes it: `prizes`, labels separated by commas.
    public init(_ content: NoroshiNotificationContent) throws(NoroshiContentError) {
        let labels = try content.text("prizes").split(separator: ",")
        let prizes = labels.map { Prize(label: $0.trimmingCharacters(in: .whitespaces)) }
        guard let wheel = NoroshiSpinToWin(prizes: prizes) else {
            throw .wrongType(key: "prizes", expected: "a list separated by commas")
        }
        self = wheel
    }

    /// Spins the wheel, once.
    /// - Returns: The record to make; empty if the wheel was already spun.
    public mutating func spin(
        random: inout some RandomNumberGenerator,
        eventName: String = "wheel_spun"
    ) -> [NoroshiPatternEffect] {
        guard result == nil else { return [] }
        var ticket = Int.random(in: 0..<prizes.map(\.weight).reduce(0, +), using: &random)
        for (index, prize) in prizes.enumerated() {
            ticket -= prize.weight
            guard ticket < 0 else { continue }
            let field = 360 / Double(prizes.count)
            result = Result(
                index: index,
                prize: prize,
                degrees: 5 * 360 + 360 - (Double(index) + 0.5) * field
            )
            return [.event(name: eventName, properties: ["prize": .string(prize.label)])]
        }
        return []
    }
}
