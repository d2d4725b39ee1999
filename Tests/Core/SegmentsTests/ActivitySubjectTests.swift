import Segments
import Testing

@Suite("What a condition on activity asks about")
struct ActivitySubjectTests {
    private typealias Subject = ActivityCondition.Subject

    private func event(_ activity: Activity, product: String? = nil) -> AudienceEvent {
        AudienceEvent(profile: 1, activity: activity, time: 0, product: product)
    }

    @Test("is what happened under that name, of those products, or of those campaigns")
    func subjects() {
        let tea = event(.event("tea"))
        let session = event(.session)
        let sencha = event(.purchase, product: "sencha")
        let nothing = event(.purchase)
        let opened = event(.message(.opened, campaign: "1"))
        let received = event(.message(.received, campaign: "1"))
        let all = [tea, session, sencha, nothing, opened, received]
        for (subject, included) in [
            (.event("tea"), [tea]), (.event("cup"), []), (.event(""), []),
            (.session, [session]), (.purchase(products: []), [sencha, nothing]),
            (.purchase(products: ["hojicha", "sencha"]), [sencha]),
            (.purchase(products: ["hojicha"]), []),
            (.message(.opened, campaigns: []), [opened]),
            (.message(.opened, campaigns: ["2", "1"]), [opened]),
            (.message(.opened, campaigns: ["2"]), []),
            (.message(.received, campaigns: ["1"]), [received]),
            (.message(.converted, campaigns: []), []),
            (.message(.converted, campaigns: ["1"]), []),
        ] as [(Subject, [AudienceEvent])] {
            #expect(all.filter(subject.includes) == included, "\(subject)")
        }
    }
}
