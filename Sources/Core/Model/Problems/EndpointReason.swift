import Reasons

/// What can be wrong with the request to one endpoint.
///
/// Only programs read it: it is said in English.
package enum EndpointReason: String, ReasonCode {
    package static let family = ReasonFamily.endpoint

    case activeOrDraft = "is active or draft"
    case activeOrDraftQuoted = "is 'active' or 'draft'"
    case afterEnd = "is after end_date"
    case alertKind = "must be a string or an object"
    case alertRequired = "is required unless content-available is true"
    case androidPriority = "is normal or high"
    case anonymousTokens = "is for tokens of nobody in particular; send them to /users/track"
    case appKnownSince =
        "is not known of events before {moment}; ask for later days, or for all apps"
    case applePriority = "is 10, 5 or 1"
    case ascOrDesc = "is asc or desc"
    case attributesRequired = "is required for users who may be new"
    case badgeNumber = "must be a whole number; leave it out to change nothing"
    case broadcastToRecipients = "must be false when recipients are named"
    case broadcastToUsers = "must be false when users are named"
    case buttonAction = "is OPEN_APP, URI, DEEP_LINK or CLOSE"
    case campaignBegun = "is of a campaign that has begun; it can no longer be changed"
    case campaignCancelled = "is of a campaign that was cancelled; it can no longer be changed"
    case canvasBegun = "is of users whose time to enter has come; it can no longer be changed"
    case canvasCancelled = "is of users whose entry was cancelled; it can no longer be changed"
    case catalogToMake = "holds the catalog to make"
    case countedSince = "goes back before {moment}, since when this is counted"
    case currencyRequired =
        "is required, because purchases were in {known}, and the workspace's own is not among them"
    case customEventName = "is the name of a custom event"
    case dayOrHour = "is day or hour"
    case daysBefore = "lies {first} to {last} days before ending_at"
    case emailState = "is subscribed, opted_in or unsubscribed"
    case exactlyOneOf = "needs exactly one of {known}"
    case existingOnly = "must be true with a user_alias"
    case factUnknown =
        "is no position of this server, whose last one is {last}: was it restored from a backup?"
    case fileTypeRequired = "is required with asset_url: one of {known}"
    case groupState = "is subscribed or unsubscribed"
    case hasPassed = "has passed"
    case hasPassedForAll = "has passed for everybody"
    case installationID = "is the identifier of an installation, a UUID"
    case interruption = "is passive, active, time-sensitive or critical"
    case isTrue = "is true"
    case isUnknown = "is unknown"
    case itemsToStore = "holds what is to be stored"
    case keyID = "is the id of a key"
    case lengthRequired = "is required: a number from 1 to {count}"
    case mergeMembers = "must only have 'identifier_to_merge' and 'identifier_to_keep'"
    case messageBegun = "is of a message that has begun; it can no longer be changed"
    case messageCancelled = "is of a message that was cancelled; it can no longer be changed"
    case mostUsers =
        "The max number of external_ids and aliases per request was exceeded: at most {count}"
    case mostEntries = """
        names more than {count} users; let so many in with a journey that all members of a segment \
        enter
        """
    case mustIdentify = "must be an object that identifies a user"
    case narrowedRecipients =
        "must be left out when recipients are named: the journey's own audience decides"
    case nameUsers = "name users by {known}"
    case needsCampaignID = "needs the campaign_id it was made for"
    case newsOperator = "has the unknown operator '{text}'; there are {known}"
    case newsOrder = "is 'column:0001' for ascending or 'column:0002' for descending"
    case noAppNamed = "'{name}' names no app; send the SDK key or the bundle identifier"
    case noAttributePath = "is no name of an attribute: {reason}"
    case noBlock = "names no content block of this workspace"
    case noCallback = "is not supported here; fetch url instead"
    case noCampaign = "Invalid Campaign ID: it is unknown"
    case noCanvas = "Invalid Canvas ID: it is unknown"
    case noCard = "is the id of no card"
    case noCursor = "Invalid cursor: it comes from the header Link"
    case noInAppMessage = "names no in-app message of this workspace"
    case noIntegrationID = "Invalid integration ID: it is a UUID"
    case noJourney = "names no journey of this workspace"
    case noJourneyStep = "names no step of this journey"
    case noJourneyVersion = "names no version of this journey"
    case noListedGroup = "is unknown; /subscription/groups/list shows those there are"
    case noListedSegment = "names no segment; /segments/list lists them"
    case noLocalEntry = """
        is not offered for canvases; give the moment, and let a step wait for a time of each user's \
        day
        """
    case noMessage = "No message to send: give an object with apple_push, android_push or web_push"
    case noNarrowing = "cannot narrow a campaign to named users"
    case noOptimalTime = """
        is not offered: this server does not learn when each user opens pushes; leave it out, or \
        use in_local_time
        """
    case noPropertyPath = "is no name of a property: {reason}"
    case noRecipients = "No Recipients: name recipients, or set broadcast to true"
    case noSplit = "names no random split of the published version"
    case noStandardAttribute = "is no standard attribute; others are asked for by custom_attribute"
    case noStep = "has '{text}'; use {known}"
    case nothingCompared = "compares nothing: it has one content and no control group"
    case nothingToDo = "has nothing to do; send at least one element"
    case notSupported = "is not supported by this version"
    case notWithSync = "must be left out when send_to_sync is true"
    case notWritable = "cannot be written as JSON: {reason}"
    case noUsersNamed = "No Recipients: name users, or set broadcast to true"
    case noVariant = "Invalid Message Variant: the campaign has no variant '{name}'"
    case noVariantID = "Invalid Message Variant: the campaign has none of this id"
    case occurrenceRequired = "is required, or purchase or session: one of them"
    case oneIdentification = "has identified or unidentified, not both"
    case oneUserOnly = "is about one user only; use /users/track for several"
    case oneVariant = "must be the same for all platforms"
    case onlyWithMove = "is for the migration move"
    case otherCampaignsID = "belongs to another campaign"
    case pageNumber = "is a whole number; the first page is 0"
    case recipientState = "is opted_in, subscribed or all"
    case rulesRequired = "is required: an object with triggers"
    case scheduleOfCampaign = "is of a campaign; make another send"
    case scheduleOrMessages = "send schedule, messages or both"
    case scheduleRequired = "is required: an object with time"
    case scheduleYears = "lies between the years {first} and {last}"
    case sendJSON = "send JSON"
    case signInAddress = "is the e-mail address to sign in with"
    case startRequired = "is required, unless email is given"
    case trackingID = "has at most {count} characters: letters, digits, hyphens and underscores"
    case unitsRequired = "is required: how many of the unit"
    case valueNotKept = "has U+0000 or a number that is not finite in it"
    case variantIDsDiffer = "has a different UUID for each variant, the message's own first"
    case variantUnspecified =
        "Message Variant Unspecified: with campaign_id each message names its message_variation_id"
    case viewportOnly = "is not there; meta-viewport-content is"
    case zipOrGzip = "is zip or gzip"
    case zoneName = "is the name of a zone, such as Asia/Tokyo"
}

extension FieldProblem {
    package init(
        _ field: String,
        _ code: EndpointReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) {
        self.init(.request(field), Reason(code, arguments))
    }
}
