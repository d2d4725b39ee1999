import Audience
import Foundation
import InAppMessages
import Model
import NoroshiWire
import Sends
import WebPages

/// The review of an in-app message before apps show it.
struct InAppReviewPage {
    let name: String
    let lines: [PushReviewPage.Line]
    let outlook: OutlookPart
    let frames: [InAppDetailPage.Frame]
    let action: String
    let version: String
    let editAddress: String
    let activateLabel: String

    init(
        _ stored: InAppMessageDefinition,
        audience: AudienceChoice,
        previews: [InAppMessagePreview],
        outlook: SendOutlook,
        context: ConsoleContext
    ) {
        let words = context.words
        let id = stored.message.id
        name = stored.name
        let part = OutlookPart(outlook, countsDevices: false, context: context)
        self.outlook = part
        lines = InAppLines(stored, audience: audience, context: context).lines + part.lines
        frames = InAppDetailPage.frames(previews, of: stored, context)
        action = ConsolePath.activateInApp(id).path
        version = String(stored.updatedAt.milliseconds)
        editAddress = ConsolePath.editInApp(id).path
        activateLabel =
            outlook.first == 0
            ? words("in_app.step.activate")
            : words.counted("in_app.activate_for", outlook.first)
    }
}
