import ClientTesting
import Foundation
@_spi(Testing) import Noroshi
@_spi(Testing) import NoroshiOutbox
import NoroshiRakuza
import NoroshiWire
import Testing

@Suite("The Rakuza façade")
struct RKZServiceTests {
    let folder: TemporaryFolder
    let ingest = Ingest()
    let service = RKZService()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func connect(_ transport: (any NoroshiTransport)? = nil) {
        var configuration = Noroshi.Configuration(apiKey: "tenant", endpoint: "push.example.com")
        configuration.storage.directory = folder.url
        configuration.api.requestPolicy = .manual
        configuration.logger.level = .disabled
        service.use(
            Noroshi(
                configuration: configuration,
                dependencies: Noroshi.Dependencies(transport: transport ?? ingest),
                platform: .none
            )
        )
    }

    private func status(
        _ call: (@escaping RKZService.StatusBlock) -> Void
    ) async -> RKZResponseStatus {
        await withCheckedContinuation { continuation in
            call { _, status in continuation.resume(returning: status) }
        }
    }

    @Test("before the tenant key is set every call fails with 9012")
    func uninitialised() async {
        let status = await status { service.openPush("uat", pushNo: 1, withBlock: $0) }
        #expect(status.statusCode == .serviceInitializeError)
        #expect(status.statusCode.rawValue == 9012)
        #expect(!service.isInitialized)
        #expect(service.setTenantKey("key").statusCode == .serviceInitializeError)
    }

    @Test("a device token belongs to its user; wrong ones are refused")
    func token() async throws {
        connect()
        let status = await status {
            service.registPushDeviceToken("ann", deviceToken: "0aff", withBlock: $0)
        }
        #expect(status.isSuccess)
        #expect(await eventually { service.noroshi?.notifications.deviceToken == "0aff" })
        await service.noroshi?.flush()
        let record = try #require(
            ingest.records.last { if case .pushToken = $0.content { true } else { false } }
        )
        #expect(record.user == .external("ann"))
        for wrong in ["", "0af", "xyz0"] {
            let refused = await self.status {
                service.registPushDeviceToken("ann", deviceToken: wrong, withBlock: $0)
            }
            #expect(refused.statusCode == .validationError)
            #expect(refused.message != nil)
        }
        let cleared = await self.status { service.clearPushDeviceToken("ann", withBlock: $0) }
        #expect(cleared.isSuccess)
        #expect(ingest.records.last?.content == .pushTokenCleared)
    }

    @Test("an opened push is measured once, with the dispatch the device has seen if there is one")
    func openPush() async throws {
        connect()
        let dispatch = UUID()
        service.noroshi?.notifications.handleRemoteMessage([
            "noroshi": #"{"dispatch_id":"\#(dispatch.uuidString)"}"#, "push_no": "12",
        ])
        for number in [12, 12, 13] {
            let status = await status {
                service.openPush("ann", pushNo: NSNumber(value: number), withBlock: $0)
            }
            #expect(status.isSuccess)
        }
        let opens = ingest.records.compactMap(\.push).filter { $0.kind == .opened }
        #expect(opens.map(\.pushNumber) == [12, 13])
        #expect(opens[0].dispatch == dispatch)
        #expect(opens[1].dispatch.uuidString == "00000000-0000-0000-0000-000000000000")
    }

    @Test("a user is created with its attributes and its token")
    func users() async throws {
        connect()
        let user = RKZUserData()
        user.user_name = "Tea Taro"
        user.attributes = ["push_device_token": "aabb", "smartphonesb_cd": "0002", "shop": "Nishi"]
        let (name, token) = await withCheckedContinuation {
            (continuation: CheckedContinuation<(String?, String?), Never>) in
            service.registUser(user) { user, status in
                #expect(status.isSuccess)
                continuation.resume(returning: (user?.user_name, user?.user_access_token))
            }
        }
        #expect(name == "Tea Taro")
        #expect(token == service.noroshi?.user.id)
        let attributes = ingest.records.compactMap(\.attributes)
        #expect(attributes == [["user_name": "Tea Taro"], ["shop": "Nishi"]])
        #expect(await eventually { service.noroshi?.notifications.deviceToken == "aabb" })
        let status = await withCheckedContinuation { continuation in
            service.editUser(RKZUserData()) { continuation.resume(returning: $1) }
        }
        #expect(status.statusCode == .requiredError)
    }

    @Test("news are listed with conditions, and reading is an event")
    func news() async throws {
        let requests = Locked<[NoroshiRequest]>([])
        let server = try SocketServer { request in
            requests.withLock { $0.append(request) }
            let body = #"{"news":[{"news_id":"9","title":"Open","is_read":true}],"total":5}"#
            return NoroshiResponse(status: 200, body: Data(body.utf8))
        }
        var configuration = Noroshi.Configuration(apiKey: "tenant", endpoint: server.endpoint)
        configuration.storage.directory = folder.url
        configuration.api.requestPolicy = .manual
        service.use(Noroshi(configuration: configuration, platform: .none))
        let (count, title) = await withCheckedContinuation {
            (continuation: CheckedContinuation<(Int?, String?), Never>) in
            service.getPaginateReleasedNewsList(
                1,
                offset: 2,
                searchConditionArray: [.init(.like_both, column: "title", values: ["tea"])],
                sortConditionArray: [.init(column: "date", isAscending: false)]
            ) { page, _ in
                continuation.resume(returning: (page?.result_cnt, page?.datas.first?.title))
            }
        }
        #expect(count == 5)
        #expect(title == "Open")
        let request = try #require(requests.withLock { $0.first })
        #expect(request.headers["authorization"] == "Bearer tenant")
        let items = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems
        #expect(
            items?.map { "\($0.name)=\($0.value ?? "")" } == [
                "limit=1", "offset=2", "search[title]=tea∀like_both", "sort=date:0002",
            ]
        )
    }
}
