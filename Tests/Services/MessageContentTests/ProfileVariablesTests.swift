import Campaigns
import Foundation
import Liquid
import Model
import NoroshiWire
import Testing

@Suite("What a message can say of its user, device and send")
struct ProfileVariablesTests {
    private static let moment = Date(timeIntervalSince1970: 1_790_000_000)
    private static let identifier = UUID(
        uuid: (0xAB, 0xCD, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 16)
    )
    private static let name = "abcd0304-0506-4708-890a-0b0c0d0e0f10"

    private func profile(_ change: (inout Profile) -> Void = { _ in }) -> Profile {
        var profile = Profile(
            id: ProfileID(1),
            workspace: WorkspaceID(1),
            publicID: Self.identifier,
            externalID: "ada",
            anonymousID: nil,
            createdAt: Self.moment
        )
        change(&profile)
        return profile
    }

    private func device(_ change: (inout Device) -> Void = { _ in }) -> Device {
        var device = Device(
            id: DeviceID(1),
            installation: Self.identifier,
            app: AppID(1),
            profile: ProfileID(1),
            platform: "ios",
            updatedAt: Self.moment
        )
        device.model = "iPhone17,1"
        device.osVersion = "26.0"
        device.appVersion = "2.10"
        device.locale = "pt_BR"
        device.timeZone = "America/Sao_Paulo"
        change(&device)
        return device
    }

    private func text(_ source: String, _ variables: ProfileVariables) async throws -> String {
        let templates = try PushTemplates(parsing: PushMessage(body: source + "|"))
        let outcome = try await templates.render(
            for: variables,
            now: Self.moment,
            by: MessageRenderer()
        )
        guard case .message(let message) = outcome else { return "\(outcome)" }
        return String(message.body.dropLast())
    }

    @Test("a send's own properties are said where the user brought none")
    func propertiesOfTheSend() async throws {
        var send = SendContent(
            message: PushMessage(body: "x"),
            audience: .everyone,
            triggerProperties: ["order": "T-1"]
        )
        send.eventProperties = ["tea": "assam", "cups": 2]
        let own = MessageProperties(event: ["tea": "sencha"])
        let source = """
            {{event_properties.${tea}}} {{event_properties.${cups}}} \
            {{canvas_entry_properties.${tea}}} {{context.${order}}}
            """
        #expect(
            try await text(source, ProfileVariables(profile: nil, send: send))
                == "assam 2 assam T-1"
        )
        #expect(
            try await text(source, ProfileVariables(profile: nil, send: send, properties: own))
                == "sencha 2 sencha T-1"
        )
    }

    @Test("attributes of the user, under the names that messages give them")
    func user() async throws {
        let profile = profile {
            $0.lastSessionAt = Self.moment
            for attribute in [
                StandardAttribute.firstName, .lastName, .email, .phone, .gender, .dateOfBirth,
                .homeCity,
            ] {
                $0.standard[attribute] = .string("<\(attribute.rawValue)>")
            }
            $0.custom = ["teas": ["sencha"], "size": 3]
        }
        let variables = ProfileVariables(profile: profile)
        for (source, expected) in [
            ("{{${user_id}}}", "ada"), ("{{${braze_id}}}", Self.name),
            ("{{${email_address}}}", "<email>"), ("{{${phone_number}}}", "<phone>"),
            ("{{${date_of_birth}}}", "<dob>"), ("{{${city}}}", "<home_city>"),
            ("{{${first_name}}}", "<first_name>"), ("{{${gender}}}", "<gender>"),
            ("{{${last_used_app_date}}}", "2026-09-21T14:13:20.000Z"),
            ("{{custom_attribute.${size}}}", "3"),
            ("{{custom_attribute.${teas} | first}}", "sencha"),
            ("{{custom_attribute.${none}}}", ""), ("{{${none}}}", ""),
        ] {
            #expect(try await text(source, variables) == expected, "\(source)")
        }
    }

    @Test("what a user has not said is read from the device, and otherwise is nothing")
    func fallback() async throws {
        let said = profile {
            $0.standard[.timeZone] = "Asia/Tokyo"
            $0.standard[.language] = "ja"
            $0.standard[.country] = "JP"
        }
        for (source, own, ofDevice) in [
            ("{{${time_zone}}}", "Asia/Tokyo", "America/Sao_Paulo"),
            ("{{${language}}}", "ja", "pt"), ("{{${country}}}", "JP", "BR"),
        ] {
            let both = ProfileVariables(profile: said, device: device())
            #expect(try await text(source, both) == own)
            let silent = ProfileVariables(profile: profile(), device: device())
            #expect(try await text(source, silent) == ofDevice)
            #expect(try await text(source, ProfileVariables(profile: profile())) == "")
        }
    }

    @Test("the device and the app of the message")
    func deviceAndApp() async throws {
        let app = App(
            id: AppID(1),
            workspace: WorkspaceID(1),
            name: "Teahouse",
            platform: "ios",
            bundleID: "org.example",
            sdkKey: "key"
        )
        let reachable = device {
            $0.push = PushRegistration(
                provider: .apns,
                token: "aa",
                authorization: .authorized,
                registeredAt: Self.moment
            )
        }
        let variables = ProfileVariables(profile: nil, device: reachable, app: app)
        for group in ["targeted_device", "most_recently_used_device"] {
            for (name, expected) in [
                ("id", Self.name), ("platform", "ios"), ("model", "iPhone17,1"), ("os", "26.0"),
                ("foreground_push_enabled", "true"), ("none", ""),
            ] {
                let found = try await text("{{\(group).${\(name)}}}", variables)
                #expect(found == expected, "\(group) \(name)")
            }
        }
        #expect(try await text("{{${most_recent_app_version}}}", variables) == "2.10")
        #expect(try await text("{{${most_recent_locale}}}", variables) == "pt_BR")
        #expect(try await text("{{app.${name}}}", variables) == "Teahouse")
        #expect(try await text("{{app.${id}}}", variables) == "")
        let unreachable = ProfileVariables(profile: nil, device: device())
        #expect(
            try await text("{{targeted_device.${foreground_push_enabled}}}", unreachable) == ""
        )
    }

    @Test("what a request says of one user outranks what it says of all")
    func properties() async throws {
        var send = SendContent(
            message: PushMessage(body: ""),
            audience: .everyone,
            triggerProperties: ["tea": "sencha", "cup": "small"]
        )
        send.author = "test"
        let variables = ProfileVariables(
            profile: nil,
            send: send,
            properties: MessageProperties(event: ["price": 12], trigger: ["tea": "hojicha"])
        )
        for (source, expected) in [
            ("{{api_trigger_properties.${tea}}}", "hojicha"),
            ("{{api_trigger_properties.${cup}}}", "small"),
            ("{{api_trigger_properties.${price}}}", ""),
            ("{{event_properties.${price}}}", "12"), ("{{event_properties.${tea}}}", ""),
        ] {
            #expect(try await text(source, variables) == expected, "\(source)")
        }
    }

    @Test("the campaign, and the variant that the user gets of it")
    func campaign() async throws {
        let variants = ["A", "B"].map {
            CampaignVariant(
                apiID: Self.identifier,
                name: $0,
                message: CampaignMessage(PlatformMessage(PushMessage(body: $0)))
            )
        }
        var content = CampaignContent(name: "Morning tea", variants: variants)
        content.variants[1].name = "Second"
        var send = SendContent(message: PushMessage(body: ""), audience: .everyone)
        send.launch = LaunchContext(
            campaign: CampaignID(1),
            apiID: Self.identifier,
            occurrence: "a",
            content: content,
            activatedAt: Self.moment
        )
        let number = content.number(ofVariantAt: 1)
        let variables = ProfileVariables(profile: nil, send: send, variant: number)
        for (name, expected) in [
            ("name", "Morning tea"), ("api_id", Self.name), ("message_name", "Second"),
            ("message_api_id", Self.name), ("dispatch_id", ""), ("none", ""),
        ] {
            #expect(try await text("{{campaign.${\(name)}}}", variables) == expected, "\(name)")
        }
        let dispatch = DispatchID(
            workspace: WorkspaceID(1),
            send: SendID(2),
            device: DeviceID(3)
        )
        let named = ProfileVariables(profile: nil, send: send, dispatch: dispatch)
        #expect(try await text("{{campaign.${dispatch_id}}}", named) == "\(dispatch)")
        #expect(try await text("{{campaign.${message_name}}}", named) == "")
    }

    @Test("the state of a user's e-mail subscription")
    func subscription() async throws {
        let profile = profile { $0.standard[.emailSubscription] = "opted_in" }
        let variables = ProfileVariables(profile: profile)
        #expect(try await text("{{subscribed_state.${email_global}}}", variables) == "opted_in")
        #expect(try await text("{{subscribed_state.${other}}}", variables) == "")
    }
}
