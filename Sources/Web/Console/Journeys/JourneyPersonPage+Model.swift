import Model

/// Every entry of one person into one journey.
struct JourneyPersonPage {
    let title: String
    let journey: String
    let journeyAddress: String
    let userAddress: String
    let entries: [JourneyEntryPart]
    let isEmpty: Bool

    init(_ journey: Journey, user: UsersPage.Row, entries: [JourneyEntryPart]) {
        title = user.title
        self.journey = journey.draft.name
        journeyAddress = ConsolePath.journey("\(journey.id)").path
        userAddress = user.address
        self.entries = entries
        isEmpty = entries.isEmpty
    }
}
