import Foundation
import Synchronization

/// A time zone in which dates are read and printed.
package struct LiquidTimeZone: Sendable, Equatable {
    private enum Rule: Sendable, Equatable {
        case utc
        case fixed(Int)
        case region(TimeZone)
    }

    private let rule: Rule

    package static let utc = LiquidTimeZone(rule: .utc)

    /// A zone by its name in the IANA database, such as `Asia/Tokyo`; `nil` if it is unknown.
    package init?(identifier: String) {
        if identifier == "UTC" || identifier == "Etc/UTC" {
            self = .utc
            return
        }
        guard let zone = Self.zones.zone(identifier) else { return nil }
        rule = .region(zone)
    }

    /// A zone with a fixed offset from UTC, in seconds.
    package init(offset: Int) {
        rule = .fixed(offset)
    }

    private init(rule: Rule) {
        self.rule = rule
    }

    /// The offset from UTC in seconds, and the zone's short name, at a time.
    func offset(at seconds: Int) -> (offset: Int, name: String) {
        switch rule {
        case .utc: return (0, "UTC")
        case .fixed(let offset): return (offset, "")
        case .region(let zone):
            let date = Date(timeIntervalSince1970: Double(seconds))
            let offset = zone.secondsFromGMT(for: date)
            let isSummer = zone.isDaylightSavingTime(for: date)
            return (
                offset, ZoneNames.name(zone.identifier, offset: offset, isSummer: isSummer)
            )
        }
    }

    /// The time of a date and time of day in the zone. A time that a clock change skips is read
    /// with the offset before the change; of a repeated time the first one counts.
    func seconds(of civil: CivilTime) -> Int {
        let local = civil.seconds
        switch rule {
        case .utc: return local
        case .fixed(let offset): return local - offset
        case .region:
            let before = offset(at: local - 86400).offset
            let after = offset(at: local + 86400).offset
            if offset(at: local - before).offset == before { return local - before }
            if offset(at: local - after).offset == after { return local - after }
            return local - before
        }
    }

    private static let zones = ZoneCache()
}

/// Caches the zones: creating one takes far longer than using it.
private final class ZoneCache: Sendable {
    private let zones = Mutex<[String: TimeZone?]>([:])

    func zone(_ identifier: String) -> TimeZone? {
        zones.withLock { zones in
            if let known = zones[identifier] { return known }
            let zone = identifier.contains("/") ? TimeZone(identifier: identifier) : nil
            // Templates may name anything, so the number of cached wrong names is limited.
            if zones.count < 1000 { zones[identifier] = .some(zone) }
            return zone
        }
    }
}

/// The short names of zones; Foundation has them for a few locales only.
enum ZoneNames {
    static func name(_ identifier: String, offset: Int, isSummer: Bool) -> String {
        if let names = names[identifier] { return isSummer ? names.1 : names.0 }
        let region = identifier.prefix { $0 != "/" }
        if region == "Europe" {
            switch offset - (isSummer ? 3600 : 0) {
            case 3600: return isSummer ? "CEST" : "CET"
            case 7200: return isSummer ? "EEST" : "EET"
            default: break
            }
        }
        let minutes = abs(offset) / 60
        let sign = offset < 0 ? "-" : "+"
        let hours = minutes / 60
        let rest = minutes % 60
        let tail = rest == 0 ? "" : (rest < 10 ? "0\(rest)" : "\(rest)")
        return sign + (hours < 10 ? "0\(hours)" : "\(hours)") + tail
    }

    private static let names: [String: (String, String)] = [
        "Africa/Cairo": ("EET", "EEST"), "Africa/Johannesburg": ("SAST", "SAST"),
        "Africa/Lagos": ("WAT", "WAT"), "Africa/Nairobi": ("EAT", "EAT"),
        "America/Anchorage": ("AKST", "AKDT"), "America/Chicago": ("CST", "CDT"),
        "America/Denver": ("MST", "MDT"), "America/Halifax": ("AST", "ADT"),
        "America/Los_Angeles": ("PST", "PDT"), "America/Mexico_City": ("CST", "CDT"),
        "America/New_York": ("EST", "EDT"), "America/Phoenix": ("MST", "MST"),
        "America/Puerto_Rico": ("AST", "AST"), "America/St_Johns": ("NST", "NDT"),
        "America/Toronto": ("EST", "EDT"), "America/Vancouver": ("PST", "PDT"),
        "Asia/Hong_Kong": ("HKT", "HKT"), "Asia/Jakarta": ("WIB", "WIB"),
        "Asia/Jerusalem": ("IST", "IDT"), "Asia/Karachi": ("PKT", "PKT"),
        "Asia/Kolkata": ("IST", "IST"), "Asia/Calcutta": ("IST", "IST"),
        "Asia/Manila": ("PST", "PST"), "Asia/Seoul": ("KST", "KST"),
        "Asia/Shanghai": ("CST", "CST"), "Asia/Taipei": ("CST", "CST"),
        "Asia/Tokyo": ("JST", "JST"), "Atlantic/Reykjavik": ("GMT", "GMT"),
        "Australia/Adelaide": ("ACST", "ACDT"), "Australia/Brisbane": ("AEST", "AEST"),
        "Australia/Darwin": ("ACST", "ACST"), "Australia/Melbourne": ("AEST", "AEDT"),
        "Australia/Perth": ("AWST", "AWST"), "Australia/Sydney": ("AEST", "AEDT"),
        "Europe/Dublin": ("GMT", "IST"), "Europe/Lisbon": ("WET", "WEST"),
        "Europe/London": ("GMT", "BST"), "Europe/Minsk": ("+03", "+03"),
        "Europe/Moscow": ("MSK", "MSK"), "Europe/Istanbul": ("+03", "+03"),
        "Pacific/Auckland": ("NZST", "NZDT"), "Pacific/Guam": ("ChST", "ChST"),
        "Pacific/Honolulu": ("HST", "HST"), "Pacific/Pago_Pago": ("SST", "SST"),
    ]
}
