import Foundation
import Model
import WebPages

/// What an in-app message is looked at for before apps show it.
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
        _ sketch: InAppSketch,
        previews: [InAppPreview],
        outlook: SendOutlook,
        visit: Visit
    ) {
        let words = visit.words
        let row = sketch.row
        name = row.name
        let part = OutlookPart(outlook, countsDevices: false, visit: visit)
        self.outlook = part
        lines = InAppLines(sketch.draft, visit: visit).lines + part.lines
        frames = InAppDetailPage.frames(previews, of: row, visit)
        action = ConsolePath.activateInApp(row.id).path
        version = String(row.changedAt.milliseconds)
        editAddress = ConsolePath.editInApp(row.id).path
        activateLabel =
            outlook.first == 0
            ? words("in_app.step.activate")
            : words.counted("in_app.activate_for", outlook.first)
    }
}
