import Foundation
import WebPages

/// The raw fields of a span of time: an amount and a unit.
struct JourneySpanForm: Hashable {
    enum Unit: String, CaseIterable {
        case minutes, hours, days

        var seconds: TimeInterval {
            switch self {
            case .minutes: 60
            case .hours: 3_600
            case .days: 86_400
            }
        }

        var wordKey: String {
            switch self {
            case .minutes: "campaigns.minutes"
            case .hours: "campaigns.hours"
            case .days: "campaigns.days"
            }
        }
    }

    let name: String
    var amount: String
    var unit: Unit

    init(fields: FormFields, name: String) {
        self.name = name
        amount = fields.trimmed(name)
        unit = Unit(rawValue: fields[name + "Unit"]) ?? .days
    }

    /// In the largest unit without a fraction; parts of a minute are kept while nothing changes.
    init(_ seconds: TimeInterval, name: String) {
        self.name = name
        let minutes = Int(min(max(seconds / 60, 0), 1e9).rounded())
        unit = minutes % 1_440 == 0 ? .days : minutes % 60 == 0 ? .hours : .minutes
        amount = String(minutes / Int(unit.seconds / 60))
    }

    /// - Parameter known: What is kept where the form says the same.
    func seconds(changing known: TimeInterval?, _ check: inout FormValidator) -> TimeInterval {
        if let known, JourneySpanForm(known, name: name) == self { return known }
        let most = Int(366 * 86_400 / unit.seconds)
        if amount.isEmpty {
            check.fault(
                name,
                "fault.range",
                ["least": check.context.words.number(1), "most": check.context.words.number(most)]
            )
            return 0
        }
        return Double(check.number(name, amount, 1...most, empty: 1)) * unit.seconds
    }
}

/// A span of time, drawn.
struct JourneySpanPart {
    let spanName: String
    let spanLabel: String
    let amount: String
    let units: [FormChoice]
    let spanFault: String?

    init(_ form: JourneySpanForm, label: String, faults: [String: String], words: Words) {
        spanName = form.name
        spanLabel = label
        amount = form.amount
        units = JourneySpanForm.Unit.allCases.map {
            FormChoice(value: $0.rawValue, label: words($0.wordKey), isChosen: $0 == form.unit)
        }
        spanFault = faults[form.name]
    }
}
