import Audience
import Campaigns
import Foundation
import InAppMessages
import Journeys
import Model
import WebPages

extension ConsoleRenderer {
    /// What the form of a step needs besides what is written in it.
    struct JourneyStepContext {
        let step: JourneyStep
        let definition: JourneyDefinition
        let frame: DraftFrame
        let isUnfinished: Bool
    }

    /// The page of a step's form.
    func journeyStepPage(
        _ form: JourneyStepForm,
        _ stepContext: JourneyStepContext,
        faults: [FormFieldError] = [],
        _ context: ConsoleContext
    ) async throws -> JourneyStepPage {
        let words = context.words
        let choice = form.choice
        let step = stepContext.step
        let layout = JourneyLayout(stepContext.definition)
        let texts = Dictionary(
            faults.map { ($0.field, $0.text) },
            uniquingKeysWith: { first, _ in first }
        )
        let vocabulary = try await journeyVocabulary(context)
        let places =
            JourneyEdit.canMove(step)
            ? places(for: step, stepContext.definition, layout, words) : []
        return JourneyStepPage(
            heading: "\(layout.numbers[step.id] ?? 0) · \(step.title(words))",
            help: words(choice.helpKey),
            stepID: step.id.description,
            stepName: form.name,
            action: ConsolePath.journeyStep(stepContext.frame.id, step.id.description).path,
            flowAddress: stepContext.frame.address,
            draft: stepContext.frame,
            faults: faults.map { .init(field: $0.field, text: $0.text) },
            hasFaults: !faults.isEmpty,
            isUnfinished: stepContext.isUnfinished,
            nameFault: texts["stepName"],
            push: try await pushPart(form, faults, context),
            message: choice == .inApp
                ? try await messagePart(form, texts["message"], context) : nil,
            span: choice == .inApp || choice == .delay
                ? JourneySpanPart(
                    form.span,
                    label: words(
                        choice == .delay ? "journeys.wait_for" : "journeys.show_for"
                    ),
                    faults: texts,
                    words: words
                ) : nil,
            clock: choice == .clock ? clockPart(form, texts, words) : nil,
            event: choice == .event
                ? JourneyEventPart(
                    form.event,
                    label: words("journeys.awaited_event"),
                    fault: texts["event"],
                    words: words
                ) : nil,
            condition: choice == .match
                ? JourneyConditionPart(
                    form.condition,
                    label: words("journeys.awaited_match"),
                    everyone: nil,
                    vocabulary,
                    faults: texts,
                    words: words
                ) : nil,
            limit: choice == .event || choice == .match
                ? JourneySpanPart(
                    form.limit,
                    label: words("journeys.at_most"),
                    faults: texts,
                    words: words
                ) : nil,
            paths: choice == .branch ? pathParts(form, vocabulary, texts, words) : [],
            hasPaths: choice == .branch,
            pathsFault: texts["paths"],
            shares: choice == .split ? shareParts(form, texts) : [],
            hasShares: choice == .split,
            sharesFault: texts["shares"],
            webhook: choice == .webhook ? webhookPart(form, texts) : nil,
            update: choice == .update
                ? try await updatePart(form, vocabulary, texts, context) : nil,
            target: choice == .jump
                ? targetPart(form, step, stepContext.definition, layout, texts, words)
                : choice == .journey ? try await journeyPart(form, texts, context) : nil,
            eventNames: vocabulary.events,
            places: places,
            canMove: !places.isEmpty,
            moveAddress: ConsolePath.journeyChange(stepContext.frame.id).path
        )
    }

    private func pushPart(
        _ form: JourneyStepForm,
        _ faults: [FormFieldError],
        _ context: ConsoleContext
    ) async throws -> JourneyStepPage.Push? {
        guard let push = form.push else { return nil }
        let composer = try await composer(push.push, faults: faults, context)
        return JourneyStepPage.Push(
            editor: CampaignEditorPage(
                push,
                draft: nil,
                isExperimentRunning: false,
                composer: composer,
                faults: faults,
                context: context
            ),
            composer: composer,
            previewAddress: composer.previewAddress,
            testAddress: composer.testAddress,
            reachAddress: composer.reachAddress
        )
    }

    private func messagePart(
        _ form: JourneyStepForm,
        _ fault: String?,
        _ context: ConsoleContext
    ) async throws -> JourneyStepPage.Message {
        let found = try await services.inApp.messages(
            in: context.workspace,
            matching: InAppMessageQuery(states: [.active], limit: 200)
        ).messages
        let choices = found.map { message in
            let id = message.id.uuidString.lowercased()
            return FormChoice(
                value: id,
                label: message.name,
                isChosen: id == form.message
            )
        }
        return JourneyStepPage.Message(
            choices: choices,
            hasChoices: !choices.isEmpty,
            newAddress: ConsolePath.newInApp.path,
            messageFault: fault
        )
    }

    private func clockPart(
        _ form: JourneyStepForm,
        _ faults: [String: String],
        _ words: Words
    ) -> JourneyStepPage.Clock {
        JourneyStepPage.Clock(
            time: form.time,
            timeFault: faults["time"],
            days: (1...7).map {
                .init(
                    value: String($0),
                    label: words.weekday($0),
                    isChosen: form.weekdays.contains($0)
                )
            },
            daysFault: faults["weekdays"]
        )
    }

    private func pathParts(
        _ form: JourneyStepForm,
        _ vocabulary: JourneyConditionPart.Vocabulary,
        _ faults: [String: String],
        _ words: Words
    ) -> [JourneyStepPage.Path] {
        var paths = form.paths
        if paths.count < JourneyForms.pathLimit {
            let prefix = JourneyStepForm.pathPrefix(paths.count)
            paths.append(.init(condition: JourneyConditionForm(.everyone, prefix: prefix)))
        }
        return paths.enumerated().map { position, path in
            let prefix = JourneyStepForm.pathPrefix(position)
            return JourneyStepPage.Path(
                pathPrefix: prefix,
                index: path.index.map(String.init) ?? "",
                letter: CampaignForm.letter(position),
                pathName: path.name,
                isNew: path.index == nil,
                byLabel: words("journeys.path_by"),
                byName: prefix + "by",
                byChoices: [
                    .init(
                        value: "person",
                        label: words("journeys.by_person"),
                        isChosen: !path.isByProperties
                    ),
                    .init(
                        value: "properties",
                        label: words("journeys.by_properties"),
                        isChosen: path.isByProperties
                    ),
                ],
                condition: JourneyConditionPart(
                    path.condition.moved(to: prefix),
                    label: words("journeys.path_condition"),
                    everyone: words("audience.everyone"),
                    vocabulary,
                    faults: faults,
                    words: words
                ),
                properties: JourneyPropertyPart(
                    path.rows,
                    prefix: prefix,
                    fault: faults[prefix + "property"],
                    words: words
                )
            )
        }
    }

    private func shareParts(
        _ form: JourneyStepForm,
        _ faults: [String: String]
    ) -> [JourneyStepPage.Share] {
        var shares = form.shares
        if shares.count < JourneyForms.pathLimit { shares.append(.init()) }
        return shares.enumerated().map { position, share in
            let prefix = JourneyStepForm.sharePrefix(position)
            return JourneyStepPage.Share(
                sharePrefix: prefix,
                index: share.index.map(String.init) ?? "",
                letter: CampaignForm.letter(position),
                shareName: share.name,
                weight: share.weight,
                isControl: share.isControl,
                isNew: share.index == nil,
                weightFault: faults[prefix + "weight"]
            )
        }
    }

    private func webhookPart(
        _ form: JourneyStepForm,
        _ faults: [String: String]
    ) -> JourneyStepPage.Webhook {
        JourneyStepPage.Webhook(
            methods: JourneyWebhook.Method.allCases.map {
                .init(value: $0.rawValue, label: $0.rawValue, isChosen: $0 == form.method)
            },
            url: form.url,
            urlFault: faults["url"],
            headers: Self.rows(form.headers),
            headersFault: faults["headers"],
            body: form.body,
            bodyFault: faults["body"]
        )
    }

    private static func rows(_ pairs: [JourneyStepForm.Pair]) -> [JourneyStepPage.Pair] {
        (pairs + [.init(name: "", value: "")]).enumerated().map {
            .init(name: $1.name, value: $1.value, position: $0 + 1)
        }
    }

    private func updatePart(
        _ form: JourneyStepForm,
        _ vocabulary: JourneyConditionPart.Vocabulary,
        _ faults: [String: String],
        _ context: ConsoleContext
    ) async throws -> JourneyStepPage.Update {
        let lists = try await services.lists.lists(in: context.workspace)
        func choices(_ chosen: Set<Int64>) -> [FormChoice] {
            lists.map {
                .init(
                    value: "\($0.id.rawValue)",
                    label: $0.name,
                    isChosen: chosen.contains($0.id.rawValue)
                )
            }
        }
        return JourneyStepPage.Update(
            attributes: Self.rows(form.attributes),
            attributesFault: faults["attributes"],
            attributeNames: vocabulary.attributes,
            addLists: choices(form.addToLists),
            removeLists: choices(form.removeFromLists),
            hasLists: !lists.isEmpty,
            listsFault: faults["lists"]
        )
    }

    private func targetPart(
        _ form: JourneyStepForm,
        _ step: JourneyStep,
        _ definition: JourneyDefinition,
        _ layout: JourneyLayout,
        _ faults: [String: String],
        _ words: Words
    ) -> JourneyStepPage.Target {
        let choices = layout.order.filter { $0 != step.id }.compactMap { id in
            definition.step(id).map {
                FormChoice(
                    value: id.description,
                    label: "\(layout.numbers[id] ?? 0) · \($0.title(words))",
                    isChosen: id.description == form.target
                )
            }
        }
        return JourneyStepPage.Target(
            fieldName: "target",
            targetLabel: words("journeys.jump_to"),
            choices: choices,
            hasChoices: !choices.isEmpty,
            targetFault: faults["target"],
            none: ""
        )
    }

    private func journeyPart(
        _ form: JourneyStepForm,
        _ faults: [String: String],
        _ context: ConsoleContext
    ) async throws -> JourneyStepPage.Target {
        let found = try await services.journeys.journeys(
            in: context.workspace,
            matching: JourneyQuery(order: .name, limit: 200)
        ).journeys.filter { $0.draft.entry == .journey }
        let choices = found.map { journey in
            let id = journey.apiID.uuidString.lowercased()
            return FormChoice(
                value: id,
                label: journey.draft.name,
                isChosen: id == form.journey
            )
        }
        return JourneyStepPage.Target(
            fieldName: "journey",
            targetLabel: context.words("journeys.enter_which"),
            choices: choices,
            hasChoices: !choices.isEmpty,
            targetFault: faults["journey"],
            none: context.words("journeys.no_journeys")
        )
    }

    /// Every place to which a step can be moved.
    private func places(
        for step: JourneyStep,
        _ definition: JourneyDefinition,
        _ layout: JourneyLayout,
        _ words: Words
    ) -> [FormChoice] {
        var places: [[JourneySlot]] = []
        for item in layout.items where item.step.id != step.id {
            if !item.before.isEmpty { places.append(item.before) }
        }
        for id in layout.order {
            guard let other = definition.step(id), id != step.id, other.kind != .jump else {
                continue
            }
            for slot in JourneyDefinition.slots(of: other) where definition[slot] == nil {
                places.append([slot])
            }
        }
        return places.filter { slots in
            !slots.contains { $0.step == step.id }
                && slots.first.map { definition[$0] != step.id } ?? false
        }
        .map { slots in
            FormChoice(
                value: JourneySlot.name(of: slots),
                label: JourneyPlaceWords.label(of: slots, definition, layout, words),
                isChosen: false
            )
        }
    }
}

extension JourneyConditionForm {
    /// The same under other names, as the rows before it may be gone.
    func moved(to prefix: String) -> JourneyConditionForm {
        var form = JourneyConditionForm(.everyone, prefix: prefix)
        form.audience = audience
        return form
    }
}
