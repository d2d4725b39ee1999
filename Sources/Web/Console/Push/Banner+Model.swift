/// A notification as the preview draws it.
struct Banner {
    let bannerTitle: String
    let bannerSubtitle: String?
    let bannerMessage: String

    init(title: String, subtitle: String, message: String) {
        bannerTitle = title
        bannerSubtitle = subtitle.isEmpty ? nil : subtitle
        bannerMessage = message
    }
}
