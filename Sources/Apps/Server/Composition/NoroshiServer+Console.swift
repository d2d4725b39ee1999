import API
import Accounts
import Analytics
import Audience
import Campaigns
import Console
import Content
import ContentFolders
import Credentials
import Delivery
import Drafts
import Foundation
import Front
import Model
import News
import Phones
import Sends
import Users

extension NoroshiServer {
    /// What draws the pages of the console.
    func console(
        beside api: APIRoutes,
        strangers: StrangerBodies,
        books: ConsoleBooks?,
        hasPhones: Bool
    ) throws -> ConsoleRenderer {
        ConsoleRenderer(
            services: consoleServices(apiPermissions: api.permissions),
            settings: ConsoleSettings(
                isSecure: settings.usesHTTPS,
                phonesAddress: hasPhones ? PhonePath.phones.path : nil,
                phoneGuestsAddress: hasPhones ? PhonePath.guests.path : nil,
                clientAddress: ClientAddress(trustedProxies: settings.trustedProxies),
                strangers: strangers,
                linkOrigin: LinkOrigin(
                    publicAddress: settings.publicAddress,
                    usesHTTPS: settings.usesHTTPS
                ),
                now: dependencies.now,
                makeToken: { [accounts] in accounts.token() }
            ),
            books: try books ?? ConsoleBooks.embedded.get()
        )
    }

    private func consoleServices(apiPermissions: [String]) -> ConsoleServices {
        let choices = AudienceChoiceService(store: store, now: dependencies.now)
        let review = SendReview(
            store: store,
            audience: audience,
            renderer: renderer,
            fetcher: connectedContent,
            payload: PayloadSize.meter,
            now: dependencies.now
        )
        let segments = SegmentService(store: store, now: dependencies.now)
        let limits = LimitService(store: store, now: dependencies.now)
        return ConsoleServices(
            accounts: accounts,
            secondFactors: secondFactors,
            passkeys: passkeys,
            openIDProviders: openIDProviders,
            openIDSignIns: openIDSignIns,
            members: members,
            workspaces: WorkspaceService(store: store, now: dependencies.now),
            apps: apps,
            credentials: credentials,
            sdkKeys: SDKKeyService(store: store, now: dependencies.now, makeID: { UUID() }),
            apiPermissions: apiPermissions,
            overview: OverviewService(store: store, figures: figures, now: dependencies.now),
            sends: SendReports(
                store: store,
                choices: choices,
                figures: figures,
                feed: feed,
                now: dependencies.now
            ),
            funnels: MessageFunnels(store: store, figures: figures, now: dependencies.now),
            composer: composer,
            control: control,
            review: review,
            choices: choices,
            drafts: DraftService(store: store, now: dependencies.now),
            campaigns: campaigns,
            inApp: inAppMessages,
            news: NewsService(store: store, now: dependencies.now),
            events: EventCatalog(store: store, figures: figures, now: dependencies.now),
            activityReports: activityReports,
            questions: questions,
            savedReports: savedReports,
            limits: limits,
            calendar: MessageCalendar(
                campaigns: campaigns,
                control: control,
                limits: limits,
                now: dependencies.now
            ),
            auditLog: AuditLog(store: store, origin: .console, now: dependencies.now),
            system: SystemReader(
                store: store,
                audience: audience,
                claim: claim,
                name: settings.node,
                report: report
            ).state,
            retention: retention,
            factWebhooks: factWebhooks,
            explainer: DeliveryExplainer(store: store, audience: audience, now: dependencies.now),
            blocks: ContentBlockService(store: store, now: dependencies.now, makeID: { UUID() }),
            catalogs: CatalogService(store: store, now: dependencies.now),
            users: UserDirectory(store: store, figures: figures),
            identities: UserService(store: store, now: dependencies.now),
            profiles: ProfileEditor(
                store: store,
                ingestion: ingestion,
                now: dependencies.now
            ),
            segments: segments,
            inspector: SegmentInspector(segments: segments, audience: audience),
            vocabulary: SegmentVocabulary(store: store),
            lists: UserListService(store: store, now: dependencies.now),
            journeys: journeys,
            rehearsals: rehearsals,
            folders: FolderOwnership(store: store, now: dependencies.now)
        )
    }
}
