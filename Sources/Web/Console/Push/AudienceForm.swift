import Audience
import Model
import WebPages

/// The raw fields of a message's audience.
struct AudienceForm: Hashable {
    enum Kind: String, CaseIterable {
        case everyone, attributes, contacts, segment, filter, user
    }

    /// What the field says where another one, `filterBy`, has the kind.
    private static let matching = "matching"

    var kind: Kind
    var user: String
    /// The chosen segment's number as text.
    var segment: String
    /// Looked up, not entered.
    var segmentName = ""
    var filter: String
    var conditions: ConditionForm

    init(fields: FormFields) {
        kind =
            fields["audience"] == Self.matching
            // Without its kind of condition it must not become everyone.
            ? [.attributes, .contacts, .segment].first { $0.rawValue == fields["filterBy"] }
                ?? .filter
            : Kind(rawValue: fields["audience"]) ?? .everyone
        user = fields.trimmed("user")
        segment = fields["segment"]
        filter = fields.trimmed("filter")
        conditions = ConditionForm(fields: fields)
    }

    init(_ choice: AudienceChoice) {
        (kind, user, segment, segmentName, filter) =
            switch choice {
            case .everyone: (.everyone, "", "", "", "")
            case .user(let externalID): (.user, externalID, "", "", "")
            case .segment(let id, let name): (.segment, "", String(id), name, "")
            case .filter(let text): (.filter, "", "", "", text)
            }
        conditions = ConditionForm()
    }

    var choice: AudienceChoice {
        switch kind {
        case .everyone: .everyone
        case .user: .user(externalID: user)
        case .segment: .segment(id: Int64(segment) ?? 0, name: segmentName)
        case .filter: .filter(filter)
        // An unfinished row makes no condition; the check reports it.
        case .attributes: .filter((try? conditions.attributeCondition()) ?? "")
        case .contacts: .filter((try? conditions.eventCondition()) ?? "")
        }
    }

    /// Whether the fields are unchanged since a choice was shown in them.
    func stillSays(_ shown: AudienceChoice) -> Bool {
        var form = AudienceForm(shown)
        form.segmentName = segmentName
        return form.choice == choice
    }

    /// Reports every invalid field.
    func check(_ check: inout FormValidator) {
        switch kind {
        case .everyone: break
        case .user: if user.isEmpty { check.fault("user", "fault.user") }
        case .segment: if segmentName.isEmpty { check.fault("segment", "fault.segment") }
        case .filter: if filter.isEmpty { check.fault("filter", "fault.filter") }
        case .attributes: Self.check("attributes", conditions.attributeCondition, &check)
        case .contacts: Self.check("contacts", conditions.eventCondition, &check)
        }
    }

    private static func check(
        _ field: String,
        _ condition: () throws(FieldProblem) -> String,
        _ check: inout FormValidator
    ) {
        do throws(FieldProblem) {
            if try condition().isEmpty { check.fault(field, "fault.condition_empty") }
        } catch {
            check.fault(field, error.reason)
        }
    }
}

extension AudienceForm {
    /// The name of the field that chooses.
    static func name(of field: FieldPath.Audience) -> String {
        switch field {
        case .user: PushField.user.rawValue
        case .segment: PushField.segment.rawValue
        case .filter: PushField.filter.rawValue
        }
    }
}

extension AudienceChoice {
    func text(_ words: Words) -> String {
        switch self {
        case .everyone: words("audience.everyone")
        case .user(let externalID): words("audience.user", ["user": externalID])
        case .segment(_, let name): words("audience.segment", ["segment": name])
        case .filter: words("audience.filter")
        }
    }
}
