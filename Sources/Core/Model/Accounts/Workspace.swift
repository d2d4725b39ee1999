import Foundation

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

    package init(
        name: String,
        timeZone: String,
        currency: String = Self.firstCurrency,
        languages: [String] = [],
        color: WorkspaceColor = .ember
    ) {
        self.name = name
        self.timeZone = timeZone
        self.currency = currency
        self.languages = languages
        self.color = color
    }

    /// The same settings in stored form: trimmed, with codes in their usual case.
    ///
    /// - Throws: ``WorkspaceSettingsProblem`` for the first invalid setting.
    package func checked() throws(WorkspaceSettingsProblem) -> WorkspaceSettings {
        var settings = self
        settings.name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !settings.name.isEmpty, settings.name.count <= Self.nameLimit,
            !settings.name.unicodeScalars.contains(where: {
                $0.properties.generalCategory == .control
            })
        else { throw .name }
        settings.timeZone = timeZone.trimmingCharacters(in: .whitespaces)
        guard Self.timeZones.contains(settings.timeZone) else { throw .timeZone(timeZone) }
        settings.currency = currency.trimmingCharacters(in: .whitespaces).uppercased()
        guard Self.currencies.contains(settings.currency) else { throw .currency(currency) }
        settings.languages = []
        for language in languages {
            let code = language.trimmingCharacters(in: .whitespaces).lowercased()
            guard (2...3).contains(code.utf8.count),
                code.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) })
            else { throw .language(language) }
            if !settings.languages.contains(code) { settings.languages.append(code) }
        }
        guard settings.languages.count <= Self.languageLimit else { throw .tooManyLanguages }
        return settings
    }

    /// The time zones that a workspace may have.
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

/// The first invalid setting of a workspace.
package enum WorkspaceSettingsProblem: Error, Sendable, Hashable, CustomStringConvertible {
    case name
    case nameTaken(String)
    case timeZone(String)
    case currency(String)
    case language(String)
    case tooManyLanguages

    /// The setting's name in requests and forms.
    package var field: String {
        switch self {
        case .name, .nameTaken: "name"
        case .timeZone: "time_zone"
        case .currency: "currency"
        case .language, .tooManyLanguages: "languages"
        }
    }

    package var description: String {
        switch self {
        case .name:
            "write a name of 1 to \(WorkspaceSettings.nameLimit) characters"
        case .nameTaken(let text):
            "another workspace is called '\(Self.shown(text))'; choose another name"
        case .timeZone(let text):
            "'\(Self.shown(text))' is no IANA time zone; send a name such as Asia/Tokyo"
        case .currency(let text):
            "'\(Self.shown(text))' is no currency; send the three letters of ISO 4217, such as JPY"
        case .language(let text):
            "'\(Self.shown(text))' is no language; send the code of ISO 639, such as ja"
        case .tooManyLanguages:
            "send at most \(WorkspaceSettings.languageLimit) languages"
        }
    }

    /// The beginning of the submitted text, without characters that no message can contain.
    private static func shown(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 }.prefix(50)))
    }
}
