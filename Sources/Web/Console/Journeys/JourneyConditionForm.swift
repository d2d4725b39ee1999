import Audience
import Foundation
import Model
import WebPages

/// The raw fields of a condition on the person, each name with a prefix.
struct JourneyConditionForm: Hashable {
    let prefix: String
    var audience: AudienceForm

    init(fields: FormFields, prefix: String) {
        self.prefix = prefix
        let own = fields.entries.filter { $0.name.hasPrefix(prefix) }.map {
            (name: String($0.name.dropFirst(prefix.count)), value: $0.value)
        }
        audience = AudienceForm(fields: FormFields(own))
        if audience.kind == .user { audience.kind = .everyone }
    }

    init(_ choice: AudienceChoice, prefix: String) {
        self.prefix = prefix
        audience = AudienceForm(choice)
    }

    /// The stored condition.
    ///
    /// - Parameter known: What is kept where the form says the same.
    /// - Throws: ``FormError`` at the form's own fields.
    func query(
        changing known: SegmentQuery?,
        _ site: ConsoleRenderer,
        _ context: ConsoleContext
    ) async throws -> SegmentQuery {
        var form = audience
        if form.kind == .segment, let id = Int64(form.segment),
            let segment = try await site.services.segments
                .segment(SegmentID(id), in: context.workspace)
        {
            form.segmentName = segment.content.name
        }
        if let known, let shown = try? await site.services.choices.choice(of: known),
            form.stillSays(shown)
        {
            return known
        }
        var check = FormValidator(context: context)
        form.check(&check)
        guard check.faults.isEmpty else { throw named(FormError(faults: check.faults)) }
        do {
            return try await FormError.naming(context.words, Self.name) {
                try await site.services.choices.query(form.choice, in: context.workspace)
            }
        } catch let rejected as FormError {
            throw named(rejected)
        }
    }

    private static func name(of path: FieldPath) -> String {
        if case .audience(let field) = path { AudienceForm.name(of: field) } else { "filter" }
    }

    private func named(_ rejected: FormError) -> FormError {
        FormError(
            faults: rejected.faults.map { FormFieldError(field: prefix + $0.field, text: $0.text) }
        )
    }
}

/// A condition on the person, drawn.
struct JourneyConditionPart {
    let prefix: String
    let conditionLabel: String
    let kinds: [FormChoice]
    let segments: [FormChoice]
    let segmentFault: String?
    let filter: String
    let filterFault: String?
    let conditions: ConditionRows

    /// What forms offer for conditions.
    struct Vocabulary {
        let segments: [StoredSegment]
        let rows: ConditionRows.Vocabulary

        var attributes: [String] { rows.attributes }
        var events: [String] { rows.events }
    }

    /// - Parameter everyone: What having no condition is called; `nil` if there must be one.
    init(
        _ form: JourneyConditionForm,
        label: String,
        everyone: String?,
        _ vocabulary: Vocabulary,
        faults: [String: String],
        words: Words
    ) {
        prefix = form.prefix
        conditionLabel = label
        let audience = form.audience
        let offered: [(AudienceForm.Kind, String)] =
            (everyone.map { [(.everyone, $0)] } ?? [])
            + (vocabulary.segments.isEmpty
                ? [] : [(.segment, words("compose.segment_choice"))])
            + [
                (.attributes, words("compose.attributes_choice")),
                (.contacts, words("compose.contacts_choice")),
                (.filter, words("compose.filter_choice")),
            ]
        let isOffered = offered.contains { $0.0 == audience.kind }
        kinds = offered.enumerated().map { index, kind in
            FormChoice(
                value: kind.0.rawValue,
                label: kind.1,
                isChosen: isOffered ? kind.0 == audience.kind : index == 0
            )
        }
        let isKnown = vocabulary.segments.contains { "\($0.id)" == audience.segment }
        let blank = FormChoice(value: "", label: words("journeys.choose"), isChosen: !isKnown)
        segments =
            (isKnown ? [] : [blank])
            + vocabulary.segments.map {
                FormChoice(
                    value: "\($0.id)",
                    label: $0.content.name,
                    isChosen: "\($0.id)" == audience.segment
                )
            }
        segmentFault = faults[form.prefix + "segment"] ?? faults[form.prefix + "user"]
        filter = audience.filter
        filterFault = faults[form.prefix + "filter"]
        conditions = ConditionRows(
            audience.conditions,
            prefix: form.prefix,
            attributeFault: faults[form.prefix + "attributes"],
            eventFault: faults[form.prefix + "contacts"],
            vocabulary.rows,
            words: words
        )
    }
}

extension ConsoleRenderer {
    /// What the conditions of a journey can choose from.
    func journeyVocabulary(_ context: ConsoleContext) async throws
        -> JourneyConditionPart.Vocabulary
    {
        JourneyConditionPart.Vocabulary(
            segments: try await services.segments.segments(in: context.workspace),
            rows: try await conditionVocabulary(context)
        )
    }
}
