/// The way to a field of what somebody has written. As text it is the field's name in the REST API.
package enum FieldPath: Sendable, Hashable, CustomStringConvertible {
    /// Of a push: of its message for all, or of the one for a platform.
    case push(Message, for: MessagePlatform? = nil)
    case campaign(Campaign)
    case journey(Journey)
    case inApp(InApp)
    case limits(Limits)
    case block(Block)
    case news(News)
    case settings(Settings)
    case audience(Audience)
    case subscriptionGroupName
    case preferenceCenter(PreferenceCenter)
    case credential(Credential)
    case app(App)
    case member(Member)
    case apiKey(APIKey)
    case sdkKey(SDKKey)
    case password(Password)
    case openID(OpenID)
    case segment(Segment)
    case userList(UserList)
    /// Of a line of a content file, from 1; 0 is the file as a whole.
    case line(Int, field: String)
    /// Of what programs send, by its name there.
    case request(String)

    package var description: String {
        switch self {
        case .push(let field, nil): field.description
        case .push(let field, let platform?): "\(platform.rawValue).\(field)"
        case .campaign(let field): field.description
        case .journey(let field): field.description
        case .inApp(let field): field.description
        case .limits(let field): field.description
        case .block(let field): field.rawValue
        case .news(let field): field.rawValue
        case .settings(let field): field.rawValue
        case .audience(let field): field.rawValue
        case .subscriptionGroupName: "name"
        case .preferenceCenter(let field): field.rawValue
        case .credential(let field): field.rawValue
        case .app(let field): field.rawValue
        case .member(let field): field.rawValue
        case .apiKey(let field): field.rawValue
        case .sdkKey(let field): field.rawValue
        case .password(let field): field.rawValue
        case .openID(let field): field.rawValue
        case .segment(let field): field.rawValue
        case .line(_, let field): field
        case .userList(let field): field.rawValue
        case .request(let name): name
        }
    }

    /// A field of a push's message.
    package enum Message: Sendable, Hashable, CustomStringConvertible {
        case title, subtitle, body, uri, threadID, customVariables, attachment, badge
        case collapseID, relevanceScore
        case pairs, pair(String)
        case buttons, buttonTitle(Int), buttonURI(Int)
        case story, storyImage(Int), storyTitle(Int), storySubtitle(Int), storyURI(Int)
        /// In another language.
        case translations, translatedTitle(String), translatedSubtitle(String)
        case translatedBody(String)

        package var description: String {
            switch self {
            case .title: "title"
            case .subtitle: "subtitle"
            case .body: "body"
            case .uri: "uri"
            case .threadID: "thread_id"
            case .customVariables: "custom_vars"
            case .attachment: "attachment"
            case .badge: "badge"
            case .collapseID: "collapse_id"
            case .relevanceScore: "relevance_score"
            case .pairs: "key_value_pairs"
            case .pair(let key): "key_value_pairs.\(key)"
            case .buttons: "buttons"
            case .buttonTitle(let index): "buttons.\(index).title"
            case .buttonURI(let index): "buttons.\(index).uri"
            case .story: "push_story"
            case .storyImage(let index): "push_story.\(index).image_url"
            case .storyTitle(let index): "push_story.\(index).title"
            case .storySubtitle(let index): "push_story.\(index).subtitle"
            case .storyURI(let index): "push_story.\(index).uri"
            case .translations: "translations"
            case .translatedTitle(let language): "translations.\(language).title"
            case .translatedSubtitle(let language): "translations.\(language).subtitle"
            case .translatedBody(let language): "translations.\(language).body"
            }
        }
    }

    /// A field of the rules that protect a workspace's users.
    package enum Limits: Sendable, Hashable, CustomStringConvertible {
        case caps, capMessages(Int), capDays(Int)
        case quietEnd
        case controlShare
        /// The most pushes in a minute.
        case rate

        package var description: String {
            switch self {
            case .caps: "caps"
            case .capMessages(let index): "caps.\(index).messages"
            case .capDays(let index): "caps.\(index).days"
            case .quietEnd: "quiet_hours.end"
            case .controlShare: "control_group.share"
            case .rate: "limit"
            }
        }
    }

    package enum Block: String, Sendable, Hashable {
        case name, content, description, tags
    }

    package enum News: String, Sendable, Hashable {
        case title, text, url, tags
        case imageURL = "image_url"
        case releaseEnd = "release_end"
    }

    /// A setting of a workspace.
    package enum Settings: String, Sendable, Hashable {
        case name, currency, languages
        case timeZone = "time_zone"
        case recordIDDays = "record_id_days"
        case auditDays = "audit_days"
        case customEventDays = "custom_event_days"
        case sessionDays = "session_days"
        case inAppReportDays = "in_app_report_days"
        case pushReportDays = "push_report_days"
        case dispatchDays = "dispatch_days"
    }

    /// Whom a person chooses.
    package enum Audience: String, Sendable, Hashable {
        case user, segment, filter
    }

    /// What a provider wants to see of an app.
    package enum Credential: String, Sendable, Hashable {
        case p8, p12, json, privateKey, contact, site
    }

    package enum APIKey: String, Sendable, Hashable {
        case name, permissions, until
    }

    /// A key with which an app's server signs tokens.
    package enum App: String, Sendable, Hashable {
        case name, platform, identifier
    }

    package enum Member: String, Sendable, Hashable {
        case name, email
    }

    package enum SDKKey: String, Sendable, Hashable {
        case app = "app_id"
        case publicKey = "rsa_public_key_str"
        case id = "key_id"
        case description, mode
    }

    package enum Password: String, Sendable, Hashable {
        case present, password
    }

    /// Of the provider with which members sign in.
    package enum OpenID: String, Sendable, Hashable {
        case name, issuer, secret, domains, subject
        case clientID = "client_id"
    }

    package enum Segment: String, Sendable, Hashable {
        case name, condition
    }

    /// An uploaded list of users.
    package enum UserList: String, Sendable, Hashable {
        case name, file
    }

    package enum PreferenceCenter: String, Sendable, Hashable {
        case name
        case page = "preference_center_page_html"
        case confirmation = "confirmation_page_html"
    }
}
