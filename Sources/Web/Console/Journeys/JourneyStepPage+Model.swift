import Audience
import Campaigns
import Foundation
import InAppMessages
import Journeys
import Model
import WebPages

/// The form of one step.
struct JourneyStepPage {
    struct Pair {
        let name: String
        let value: String
        let position: Int
    }

    struct Path {
        let pathPrefix: String
        let index: String
        let letter: String
        let pathName: String
        let isNew: Bool
        let byLabel: String
        let byName: String
        let byChoices: [FormChoice]
        let condition: JourneyConditionPart
        let properties: JourneyPropertyPart
    }

    struct Share {
        let sharePrefix: String
        let index: String
        let letter: String
        let shareName: String
        let weight: String
        let isControl: Bool
        let isNew: Bool
        let weightFault: String?
    }

    /// What one kind of step shows.
    struct Push {
        let editor: CampaignEditorPage
        let composer: PushComposerPage
        let previewAddress: String
        let testAddress: String
        let reachAddress: String
    }

    struct Message {
        let choices: [FormChoice]
        let hasChoices: Bool
        let newAddress: String
        let messageFault: String?
    }

    struct Clock {
        let time: String
        let timeFault: String?
        let days: [FormChoice]
        let daysFault: String?
    }

    struct Webhook {
        let methods: [FormChoice]
        let url: String
        let urlFault: String?
        let headers: [Pair]
        let headersFault: String?
        let body: String
        let bodyFault: String?
    }

    struct Update {
        let attributes: [Pair]
        let attributesFault: String?
        let attributeNames: [String]
        let addLists: [FormChoice]
        let removeLists: [FormChoice]
        let hasLists: Bool
        let listsFault: String?
    }

    struct Target {
        let fieldName: String
        let targetLabel: String
        let choices: [FormChoice]
        let hasChoices: Bool
        let targetFault: String?
        let none: String
    }

    let heading: String
    let help: String
    let stepID: String
    let stepName: String
    let action: String
    let flowAddress: String
    let draft: DraftFrame
    let faults: [FormFieldError]
    let hasFaults: Bool
    /// Whether what is shown was left open before.
    let isUnfinished: Bool
    let nameFault: String?
    let push: Push?
    let message: Message?
    let span: JourneySpanPart?
    let clock: Clock?
    let event: JourneyEventPart?
    let condition: JourneyConditionPart?
    let limit: JourneySpanPart?
    let paths: [Path]
    let hasPaths: Bool
    let pathsFault: String?
    let shares: [Share]
    let hasShares: Bool
    let sharesFault: String?
    let webhook: Webhook?
    let update: Update?
    let target: Target?
    let eventNames: [String]
    /// Where a step with one way out can be moved to.
    let places: [FormChoice]
    let canMove: Bool
    let moveAddress: String
}
