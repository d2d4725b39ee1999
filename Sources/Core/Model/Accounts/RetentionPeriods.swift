/// A kind of rows that a workspace can have removed when they are old. No figure is counted from
/// ids and the audit log; of the others, what figures need is summed up when they are removed.
package enum RetainedKind: String, Sendable, Hashable, CaseIterable {
    /// The ids of the records that devices have sent.
    case recordIDs = "record_ids"
    /// The records of the audit log.
    case audit
    /// What users did, but sessions and purchases.
    case customEvents = "custom_events"
    /// When users began and ended to use an app.
    case sessions
    /// What devices told about in-app messages.
    case inAppReports = "in_app_reports"
    /// What devices told about pushes: that they came, were opened or dismissed.
    case pushReports = "push_reports"
    /// Which push went to which device, and what became of it.
    case dispatches
}

/// For how many days a workspace keeps rows of each kind; `nil` keeps them for ever.
package struct RetentionPeriods: Sendable, Hashable {
    /// A device that was switched off for a month sends again what it has no answer to, and what a
    /// member did is asked about after weeks.
    package static let bounds = 30...36_500

    package var recordIDs: Int?
    package var audit: Int?
    package var customEvents: Int?
    package var sessions: Int?
    package var inAppReports: Int?
    package var pushReports: Int?
    package var dispatches: Int?

    package init(
        recordIDs: Int? = nil,
        audit: Int? = nil,
        customEvents: Int? = nil,
        sessions: Int? = nil,
        inAppReports: Int? = nil,
        pushReports: Int? = nil,
        dispatches: Int? = nil
    ) {
        self.recordIDs = recordIDs
        self.audit = audit
        self.customEvents = customEvents
        self.sessions = sessions
        self.inAppReports = inAppReports
        self.pushReports = pushReports
        self.dispatches = dispatches
    }

    package subscript(kind: RetainedKind) -> Int? {
        get {
            switch kind {
            case .recordIDs: recordIDs
            case .audit: audit
            case .customEvents: customEvents
            case .sessions: sessions
            case .inAppReports: inAppReports
            case .pushReports: pushReports
            case .dispatches: dispatches
            }
        }
        set {
            switch kind {
            case .recordIDs: recordIDs = newValue
            case .audit: audit = newValue
            case .customEvents: customEvents = newValue
            case .sessions: sessions = newValue
            case .inAppReports: inAppReports = newValue
            case .pushReports: pushReports = newValue
            case .dispatches: dispatches = newValue
            }
        }
    }

    /// - Throws: For the first period that is too short or too long.
    package func check() throws(ValidationError) {
        for kind in RetainedKind.allCases {
            guard let days = self[kind], !kind.bounds.contains(days) else { continue }
            throw ValidationError(
                .settings(kind.field),
                .retentionDays,
                ["first": "\(kind.bounds.lowerBound)", "last": "\(kind.bounds.upperBound)"]
            )
        }
        // What devices told of a push is told of one that is known.
        if let dispatches, dispatches < pushReports ?? .max {
            throw ValidationError(.settings(.dispatchDays), .retentionBeforeReports)
        }
    }
}

extension RetainedKind {
    /// For how many days rows of this kind can be kept.
    ///
    /// What is told of a push after its rows were removed changes no figure of it. A provider keeps a
    /// push for 28 days, and a device that was off for a month tells what it has told nobody.
    package var bounds: ClosedRange<Int> {
        switch self {
        case .dispatches: 90...RetentionPeriods.bounds.upperBound
        case .recordIDs, .audit, .customEvents, .sessions, .inAppReports, .pushReports:
            RetentionPeriods.bounds
        }
    }

    package var field: FieldPath.Settings {
        switch self {
        case .recordIDs: .recordIDDays
        case .audit: .auditDays
        case .customEvents: .customEventDays
        case .sessions: .sessionDays
        case .inAppReports: .inAppReportDays
        case .pushReports: .pushReportDays
        case .dispatches: .dispatchDays
        }
    }
}
