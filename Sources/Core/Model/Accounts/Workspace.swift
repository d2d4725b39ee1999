import Foundation
import Reasons

/// A team's isolated environment: its apps, users, messages and members.
package struct Workspace: Sendable, Hashable {
    package var id: WorkspaceID
    package var settings: WorkspaceSettings

    package init(id: WorkspaceID, settings: WorkspaceSettings) {
        self.id = id
        self.settings = settings
    }

    package var name: String { settings.name }
    /// The IANA name of the time zone of its days.
    package var timeZone: String { settings.timeZone }
    package var zone: TimeZone { TimeZone(identifier: settings.timeZone) ?? .gmt }
}

/// The settings of a workspace that an administrator can change.
package struct WorkspaceSettings: Sendable, Hashable {
    package static let nameLimit = 100
    package static let languageLimit = 50
    /// The default currency of a workspace.
    package static let firstCurrency = "USD"

    package var name: String
    /// The IANA name of the time zone of its days.
    package var timeZone: String
    /// ISO 4217; the currency for revenue if purchases were made in several currencies.
    package var currency: String
    /// The languages of its messages, as ISO 639 codes, in display order.
    package var languages: [String]
    /// The accent color that distinguishes this workspace's console from others.
    package var color: WorkspaceColor
    /// Whether members without a second factor have to set one up before anything else.
    package var requiresSecondFactor: Bool
    package var retention: RetentionPeriods

    package init(
        name: String,
        timeZone: String,
        currency: String = Self.firstCurrency,
        languages: [String] = [],
        color: WorkspaceColor = .ember,
        requiresSecondFactor: Bool = false,
        retention: RetentionPeriods = RetentionPeriods()
    ) {
        self.name = name
        self.timeZone = timeZone
        self.currency = currency
        self.languages = languages
        self.color = color
        self.requiresSecondFactor = requiresSecondFactor
        self.retention = retention
    }

    /// The same settings in stored form: trimmed, with codes in their usual case.
    ///
    /// - Throws: For the first that cannot be used.
    package func checked() throws(ValidationError) -> WorkspaceSettings {
        var settings = self
        settings.name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !settings.name.isEmpty, settings.name.count <= Self.nameLimit,
            !settings.name.unicodeScalars.contains(where: {
                $0.properties.generalCategory == .control
            })
        else {
            throw ValidationError(
                .settings(.name),
                .workspaceName,
                ["count": "\(Self.nameLimit)"]
            )
        }
        settings.timeZone = timeZone.trimmingCharacters(in: .whitespaces)
        guard Self.timeZones.contains(settings.timeZone) else {
            throw Self.wrong(.timeZone, .noWorkspaceZone, timeZone)
        }
        settings.currency = currency.trimmingCharacters(in: .whitespaces).uppercased()
        guard Self.currencies.contains(settings.currency) else {
            throw Self.wrong(.currency, .noCurrency, currency)
        }
        settings.languages = []
        for language in languages {
            let code = language.trimmingCharacters(in: .whitespaces).lowercased()
            guard (2...3).contains(code.utf8.count),
                code.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) })
            else { throw Self.wrong(.languages, .noLanguage, language) }
            if !settings.languages.contains(code) { settings.languages.append(code) }
        }
        guard settings.languages.count <= Self.languageLimit else {
            throw ValidationError(
                .settings(.languages),
                .workspaceLanguages,
                ["count": "\(Self.languageLimit)"]
            )
        }
        try retention.check()
        return settings
    }

    /// A setting that says what it cannot: the beginning of it, without what no message can hold.
    package static func wrong(
        _ field: FieldPath.Settings,
        _ code: FieldReason,
        _ text: String
    ) -> ValidationError {
        let shown = String.UnicodeScalarView(
            text.unicodeScalars.filter { $0.value >= 0x20 }.prefix(50)
        )
        return ValidationError(.settings(field), code, ["text": .text(String(shown))])
    }

    /// The zones that a workspace may live in.
    package static let timeZones = Set(TimeZone.knownTimeZoneIdentifiers)
        .union(["UTC", "GMT", "Etc/UTC", "Etc/GMT"])

    /// The currencies of ISO 4217 that are in use.
    package static let currencies = Set(
        Locale.Currency.isoCurrencies.map { $0.identifier.uppercased() }
    )
}

/// The colors that a workspace may have in the console.
package enum WorkspaceColor: String, Sendable, Hashable, CaseIterable, Codable {
    case ember, amber, moss, teal, sky, indigo, plum, slate
}
