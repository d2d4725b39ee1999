import Model

extension SendPhase {
    /// The rule of the phase as an SQL condition over rows of `sends`.
    var condition: String {
        switch self {
        case .scheduled: "state = 'scheduled'"
        case .running: "state IN ('planning', 'sending')"
        case .paused: "state = 'paused'"
        case .cancelled: "state = 'cancelled'"
        case .done: "state = 'finished' AND \(Self.sent) AND NOT \(Self.faulty)"
        case .partlyFailed: "state = 'finished' AND \(Self.sent) AND \(Self.faulty)"
        case .failed: "state = 'finished' AND NOT \(Self.sent) AND \(Self.refused)"
        case .noRecipients: "state = 'finished' AND NOT \(Self.sent) AND NOT \(Self.refused)"
        }
    }

    private static let sent = has([.accepted, .unknown])
    private static let refused = has([.rejected])
    private static let faulty = has([.rejected], "AND NOT (\(GoneDevice.condition))")

    private static func has(_ states: [DispatchState], _ more: String = "") -> String {
        let numbers = states.map { String($0.rawValue) }.joined(separator: ", ")
        return """
            EXISTS (SELECT TRUE FROM send_counts WHERE send_id = sends.id
                AND send_counts.state IN (\(numbers)) AND rows > 0 \(more))
            """
    }
}

extension GoneDevice {
    /// The rule as an SQL condition over `reason` of `send_counts`.
    static let condition =
        (["reason IN (\(reasons.sorted().map { "'\($0)'" }.joined(separator: ", ")))"]
        + beginnings.map { "substr(reason, 1, \($0.count)) = '\($0)'" })
        .joined(separator: " OR ")
}
