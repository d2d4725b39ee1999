import Foundation
import Model
import Ports
import Scheduling

extension CampaignReports {
    /// The counts of `days` days in the workspace's time zone, ending with the one that contains
    /// `end`.
    package func series(
        of campaign: Campaign,
        trackingID: String? = nil,
        days count: Int,
        endingAt end: Date
    ) async throws -> [CampaignDay] {
        let zone = try await store.timeZone(of: campaign.workspace)
        let last = WallClock.reading(of: end, in: zone).day
        let days = (0..<count).map { last.adding(days: $0 - count + 1) }
        let boundaries = (days + [last.adding(days: 1)]).map {
            WallClock.instant($0, .midnight, in: zone)
        }
        let figures = try await store.dailyFigures(
            of: campaign.id,
            trackingID: trackingID,
            between: boundaries
        )
        var series = zip(days, figures).map { day, figures in
            CampaignDay(
                day: day,
                variants: figures.variants,
                uniqueRecipients: figures.uniqueRecipients,
                events: campaign.content.conversions.count
            )
        }
        func index(_ date: Date) -> Int? {
            guard let next = boundaries.firstIndex(where: { $0 > date }), next > 0 else {
                return nil
            }
            return next - 1
        }
        for (event, conversion) in campaign.content.conversions.enumerated() {
            let found = try await store.conversions(
                of: campaign.id,
                trackingID: trackingID,
                event: conversion.event,
                window: conversion.window
            )
            // The control group's conversions are compared with the others, not added to them.
            for conversion in found where conversion.variant != nil {
                if let day = index(conversion.convertedAt) {
                    series[day].conversions[event] += 1
                    if event == 0 { series[day].revenue += conversion.revenue }
                }
                if let day = index(conversion.sentAt) {
                    series[day].conversionsBySendTime[event] += 1
                }
            }
        }
        return series
    }
}

/// The counts of a campaign on one day.
package struct CampaignDay: Sendable, Hashable {
    package var day: CalendarDay
    /// Counts of the messages that were accepted on that day.
    package var variants: [VariantCounts]
    package var uniqueRecipients: Int
    /// Number of conversions per conversion event, by the time of the event.
    package var conversions: [Int]
    /// Number of conversions per conversion event, by the time of the message.
    package var conversionsBySendTime: [Int]
    /// Revenue of the primary conversion event, if it is a purchase.
    package var revenue: Double

    package init(
        day: CalendarDay,
        variants: [VariantCounts],
        uniqueRecipients: Int,
        events: Int
    ) {
        self.day = day
        self.variants = variants
        self.uniqueRecipients = uniqueRecipients
        conversions = Array(repeating: 0, count: events)
        conversionsBySendTime = conversions
        revenue = 0
    }
}
