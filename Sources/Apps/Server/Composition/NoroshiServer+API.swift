import API
import Accounts
import Analytics
import Audience
import Campaigns
import Content
import ContentFiles
import ContentFolders
import Credentials
import Delivery
import Facts
import Foundation
import Front
import Journeys
import Model
import News
import Sends
import Servers
import Users

extension NoroshiServer {
    func apiRoutes(strangers: StrangerBodies) -> APIRoutes {
        APIRoutes(
            services: apiServices,
            webPushKey: { [credentials] app in
                try await credentials.applicationServerKey(of: app)
            },
            publicAddress: settings.publicAddress,
            usesHTTPS: settings.usesHTTPS,
            limits: { [limits] in limits.rates },
            servers: { [share] in share.servers(in: .requests) },
            clientAddress: ClientAddress(trustedProxies: settings.trustedProxies),
            strangers: strangers,
            now: dependencies.now
        )
    }

    var apiServices: APIServices {
        let now = dependencies.now
        let makeID: @Sendable () -> UUID = { UUID() }
        return APIServices(
            accounts: accounts,
            members: members,
            secondFactors: secondFactors,
            passkeys: passkeys,
            apps: apps,
            workspaces: WorkspaceService(store: store, now: now),
            retention: retention,
            facts: FactService(store: store),
            factWebhooks: factWebhooks,
            audit: AuditLog(store: store, origin: .api, now: now),
            sdkKeys: SDKKeyService(store: store, now: now, makeID: makeID),
            ingestion: ingestion,
            syncs: syncs,
            users: UserService(store: store, now: now),
            directory: UserDirectory(store: store, figures: figures),
            archive: UserArchive(store: store, now: now),
            links: ExportLinkService(store: store, now: now, makeToken: accounts.token),
            callback: ExportCallback(fetcher: connectedContent),
            subscriptions: SubscriptionGroupService(store: store, now: now, makeID: makeID),
            preferenceCenters: PreferenceCenterService(
                store: store,
                links: PreferenceLinks(key: secretKey),
                now: now,
                makeID: makeID
            ),
            audience: audience,
            segments: SegmentService(store: store, now: now),
            series: SeriesService(store: store, audience: audience),
            activityReports: activityReports,
            questions: questions,
            savedReports: savedReports,
            limits: LimitService(store: store, now: dependencies.now),
            events: EventCatalog(store: store, figures: figures, now: now),
            composer: composer,
            control: control,
            campaigns: campaigns,
            reports: CampaignReports(store: store),
            funnels: MessageFunnels(store: store, now: now),
            explainer: DeliveryExplainer(store: store, audience: audience, now: now),
            journeys: journeys,
            journeyForms: JourneyForms(store: store, now: now),
            inAppMessages: inAppMessages,
            news: NewsService(store: store, now: now),
            blocks: ContentBlockService(store: store, now: now, makeID: makeID),
            catalogs: CatalogService(store: store, now: now),
            folders: FolderOwnership(store: store, now: now),
            rehearsals: rehearsals,
            contentFiles: ContentFileService(store: store, now: now)
        )
    }
}
