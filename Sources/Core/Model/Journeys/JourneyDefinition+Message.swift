extension JourneyDefinition {
    /// The push of a step as the content of a campaign, whose rules for users, variants and figures
    /// then hold for it too; `nil` for steps that send none.
    package func message(of step: JourneyStep) -> CampaignContent? {
        guard case .push(let push) = step.kind else { return nil }
        let number = (steps.firstIndex { $0.id == step.id } ?? 0) + 1
        var content = CampaignContent(
            name: "\(name) · \(step.name.isEmpty ? "\(number)" : step.name)",
            delivery: .apiTriggered,
            variants: push.variants
        )
        content.controlShare = push.controlShare
        content.tags = tags
        // Whether somebody may come to the step again is decided by the journey.
        content.reeligibility = .after(0)
        content.isExemptFromCaps = isExemptFromCaps
        content.quietHours = quietHours
        // The workspace's control group walks along and gets none of the messages.
        content.reachesControlGroup = false
        content.conversions = goal.map { [$0] } ?? []
        return content
    }
}
