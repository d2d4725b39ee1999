import Foundation
import Model
import NoroshiWire
import Ports
import StoreConformance
import StoreSQL
import StoreTesting
import Testing

@Suite("The store keeps its promises on SQLite and on PostgreSQL")
struct SQLStoreConformanceTests {
    private func withStore(
        _ body: (StoreConformance) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = try SQLStore.testing(at: folder.appending(path: "file").path, on: .sqlite)
        try await body(StoreConformance(file))
        guard StoreKind.available.contains(.postgres) else { return }
        try await Slots.postgres.run {
            let path = folder.appending(path: "address").path
            let database = try SQLStore.testing(at: path, on: .postgres)
            try await body(StoreConformance(database))
            try await database.close()
        }
    }

    @Test("a record with a known id is acknowledged and not stored again")
    func records() async throws { try await withStore { try await $0.storesARecordOnce() } }

    @Test("devices of two apps that are otherwise alike are told apart in the columns")
    func appsOfDevices() async throws {
        try await withStore { try await $0.readsTheAppOfEachDevice() }
    }

    @Test("what is older than a workspace keeps it is removed in steps that a crash does not undo")
    func retention() async throws { try await withStore { try await $0.removesOldRowsInSteps() } }

    @Test(
        "the events of a user are found after merges and deletions, however many are in the index",
        arguments: 1...4 as ClosedRange<UInt64>
    )
    func userEvents(seed: UInt64) async throws {
        try await withStore { try await $0.findsTheEventsOfAUser(seed: seed) }
    }

    @Test("it is told for whom old rows stay: those who count conversions from them")
    func holders() async throws { try await withStore { try await $0.tellsForWhomOldRowsStay() } }

    @Test("a copy that keeps a share of the people has nothing of the others")
    func sharedPeople() async throws {
        try await withStore { try await $0.keepsAShareOfThePeople() }
    }

    @Test("a record whose id was removed is not stored again, and a late one is not lost")
    func forgottenRecords() async throws {
        try await withStore { try await $0.recognizesRecordsWithoutTheirIDs() }
    }

    @Test("a record that is refused may come again, and no other one with it")
    func refusedRecords() async throws {
        try await withStore { try await $0.forgetsOnlyTheRecordThatIsRefused() }
    }

    @Test("figures may have changed from what is new on, of all days after a deletion or a merge")
    func figureChanges() async throws {
        try await withStore { try await $0.tellsFromWhenOnFiguresMayHaveChanged() }
    }

    @Test("attempts to sign in count for all of their quotas or for none, and for one window")
    func signIns() async throws { try await withStore { try await $0.countsAttemptsToSignIn() } }

    @Test("servers whose clocks differ a little count attempts to sign in as one")
    func signInsAtSeveralServers() async throws {
        try await withStore { try await $0.countsAttemptsByClocksThatDiffer() }
    }

    @Test("the content blocks of a send stay as they were until it ends")
    func contentBlocksOfSends() async throws {
        try await withStore { try await $0.keepsContentBlocksOfASend() }
    }

    @Test("the last rehearsal about something is kept, and stopped for whoever plays it")
    func rehearsals() async throws {
        try await withStore { try await $0.keepsRehearsals() }
    }

    @Test("the first key is kept, and says where its secrets are")
    func keyOfSecrets() async throws {
        try await withStore { try await $0.keepsTheFingerprintOfAKey() }
    }

    @Test("of many attempts to sign in at once no more than the quota is let through")
    func signInsAtOnce() async throws {
        try await withStore { try await $0.countsAttemptsThatComeAtOnce() }
    }

    @Test("a sign-in that succeeds forgets and remembers, one that fails is in the log")
    func signInResults() async throws {
        try await withStore { try await $0.settlesAttemptsToSignIn() }
    }

    @Test("a clock that was wrong keeps nobody from signing in for years")
    func signInClock() async throws {
        try await withStore { try await $0.bearsAClockThatWasWrong() }
    }

    @Test("the files of a folder stand for its rows until others take their place")
    func folderFiles() async throws { try await withStore { try await $0.keepsFolderFiles() } }

    @Test("a second factor counts once confirmed, and each of its codes once")
    func secondFactors() async throws { try await withStore { try await $0.keepsSecondFactors() } }

    @Test("a step of signing in is good until it expires, once, and ends with its member")
    func signInSteps() async throws {
        try await withStore { try await $0.keepsStepsOfSigningIn() }
    }

    @Test("a workspace has one provider to sign in with, or none")
    func openIDProviders() async throws {
        try await withStore { try await $0.keepsOpenIDProviders() }
    }

    @Test("a sign-in at a provider is taken once, by the browser that began it")
    func openIDAttempts() async throws {
        try await withStore { try await $0.keepsOpenIDAttempts() }
    }

    @Test("a member is one person at a provider, and a person one member")
    func openIDPersons() async throws {
        try await withStore { try await $0.keepsOpenIDPersons() }
    }

    @Test("a probe writes, and the store is well")
    func probe() async throws { try await withStore { try await $0.isWellWhileItCanBeWritten() } }

    @Test("daily counts that grew are those made from the rows at once")
    func dailyCounts() async throws {
        try await withStore { try await $0.keepsDailyCountsThatRebuildingDoesNotChange() }
    }

    @Test("days are those of the time zone, also when clocks change")
    func localDays() async throws { try await withStore { try await $0.countsDaysOfTheTimeZone() } }

    @Test("active users are counted once for a day or month")
    func activeUsers() async throws { try await withStore { try await $0.countsActiveUsersOnce() } }

    @Test("workspaces do not see each other's users")
    func workspaces() async throws { try await withStore { try await $0.keepsWorkspacesApart() } }

    @Test("a bad attribute is named and the others are stored")
    func attributes() async throws {
        try await withStore { try await $0.keepsGoodAttributesBesideABadOne() }
    }

    @Test("changes with a basis are made together or not at all, with who made them")
    func changesWithBasis() async throws {
        try await withStore { try await $0.makesChangesWithABasisTogetherOrNotAtAll() }
    }

    @Test("a nameless user becomes the named one and keeps the data")
    func naming() async throws { try await withStore { try await $0.namesANamelessUser() } }

    @Test("an unknown user is refused where none is to be made")
    func existingOnly() async throws {
        try await withStore { try await $0.refusesAnUnknownUserWhereNoneIsToBeMade() }
    }

    @Test("a token belongs to the user who registered it last")
    func tokens() async throws {
        try await withStore { try await $0.movesATokenToTheUserWhoHasTheDevice() }
    }

    @Test("segments have names of their own, and archived ones leave theirs")
    func segments() async throws { try await withStore { try await $0.keepsSegments() } }

    @Test("the size of a segment is kept for every day it was counted")
    func sizes() async throws { try await withStore { try await $0.keepsTheLastSizeOfADay() } }

    @Test("an uploaded list holds users of its workspace, and follows a merge")
    func lists() async throws { try await withStore { try await $0.keepsUploadedLists() } }

    @Test("a user is found by any identifier, the push token included")
    func lookup() async throws { try await withStore { try await $0.findsAUserByAnyIdentifier() } }

    @Test("what happened between a user and pushes is told, newest first")
    func contacts() async throws { try await withStore { try await $0.tellsTheContactsOfAUser() } }

    @Test("users are found by the beginning of a name or identifier")
    func search() async throws {
        try await withStore { try await $0.findsUsersByTheBeginningOfAName() }
    }

    @Test("every reachable device is planned once")
    func planning() async throws {
        try await withStore { try await $0.plansEveryReachableDeviceOnce() }
    }

    @Test("only the devices of the named users are planned")
    func namedUsers() async throws { try await withStore { try await $0.plansOnlyTheNamedUsers() } }

    @Test("a campaign is read as it was written, by state, text and time")
    func campaigns() async throws {
        try await withStore { try await $0.keepsCampaignsAsTheyWereWritten() }
    }

    @Test("an occurrence of a campaign is launched once, by whoever comes first")
    func occurrences() async throws {
        try await withStore { try await $0.launchesAnOccurrenceOnce() }
    }

    @Test("a store that holds hands out nothing to plan or send, until it is released")
    func sendingHold() async throws {
        try await withStore { try await $0.handsOutNothingWhileItHolds() }
    }

    @Test("journeys are those of a workspace, in the order and the states asked for")
    func journeys() async throws {
        try await withStore { try await $0.keepsJourneysOfAWorkspace() }
        try await withStore { try await $0.ordersJourneysByFigures() }
    }

    @Test("entries, conversions and ends of a journey are counted in the period in which they were")
    func journeyPeriods() async throws {
        try await withStore { try await $0.countsJourneysByPeriod() }
    }

    @Test("a draft is published once, and what was published never changes")
    func publishedJourneys() async throws {
        try await withStore { try await $0.publishesAJourneyOnce() }
    }

    @Test("a journey goes from state to state only where it may")
    func journeyStates() async throws {
        try await withStore { try await $0.movesAJourneyThroughItsStates() }
    }

    @Test("a journey is one server's for a while, and another's when that has gone")
    func journeyLeases() async throws {
        try await withStore { try await $0.leasesAJourneyToOneServer() }
    }

    @Test("an entry moves once from where it was read, with its passages and its call")
    func journeyMoves() async throws { try await withStore { try await $0.movesAnEntryOnce() } }

    @Test("the people of a step are those who are at it, or were")
    func journeyPeople() async throws {
        try await withStore { try await $0.listsThePeopleOfAStep() }
    }

    @Test("a request lets users into a journey once for each key")
    func journeyRequests() async throws {
        try await withStore { try await $0.takesARequestForAJourneyOnce() }
    }

    @Test("an in-app message of a journey is for those who have come to its step, for a while")
    func journeyMessages() async throws {
        try await withStore { try await $0.reservesInAppMessagesForJourneys() }
    }

    @Test("drafts are those of a workspace, the newest first, and only so many")
    func drafts() async throws {
        try await withStore { try await $0.keepsDraftsOfAWorkspace() }
    }

    @Test("a draft becomes one send, however often it is sent, and then stays as it is")
    func sentDraft() async throws {
        try await withStore { try await $0.sendsADraftOnce() }
    }

    @Test("a window does not overwrite what another one has written in a draft")
    func draftsInTwoWindows() async throws {
        try await withStore { try await $0.keepsWhatAnotherWindowHasWritten() }
    }

    @Test("a draft becomes one campaign, segment, news item or message, however often it is saved")
    func savedDrafts() async throws { try await withStore { try await $0.savesADraftOnce() } }

    @Test("of two who edit the same thing the later one is told")
    func twoEditors() async throws {
        try await withStore { try await $0.tellsTheLaterOfTwoEditors() }
    }

    @Test("a list of sends that failed has those that failed, and so of every state")
    func phases() async throws {
        try await withStore { try await $0.findsSendsByWhatPeopleAreTold() }
    }

    @Test("a send that has not begun is taken back to its draft, one that has is not")
    func takingBack() async throws {
        try await withStore { try await $0.takesBackWhatHasNotBegun() }
    }

    @Test("a campaign begins once, as it was when somebody looked at it")
    func activations() async throws { try await withStore { try await $0.activatesWhatWasSeen() } }

    @Test("a campaign pauses, goes on and stops with its sends, in one transaction")
    func campaignMoves() async throws {
        try await withStore { try await $0.movesACampaignWithItsSends() }
    }

    @Test("a campaign's new content is that of all its reserved sends, or nothing changes")
    func campaignUpdates() async throws {
        try await withStore {
            try await $0.changesACampaignWithAllItsReservedSendsOrNotAtAll()
        }
    }

    @Test("stored events are read once for triggers, and a trigger becomes one send")
    func triggers() async throws {
        try await withStore { try await $0.readsEachEventOnceForTriggers() }
    }

    @Test("a chunk of a plan is written once, with its history")
    func chunks() async throws { try await withStore { try await $0.plansAChunkOnce() } }

    @Test("what is left to do is counted by state and cause")
    func openWork() async throws { try await withStore { try await $0.tellsWhatIsLeftToDo() } }

    @Test("a send that is held goes on where it was")
    func pauses() async throws { try await withStore { try await $0.holdsASendAndLetsItGoOn() } }

    @Test("a row of the ledger belongs to one worker until its lease ends")
    func leases() async throws { try await withStore { try await $0.givesEachRowToOneWorker() } }

    @Test("a worker gets as many rows as it asks for, of every send that has some")
    func sharedClaims() async throws {
        try await withStore { try await $0.claimsAsManyRowsAsAskedOfAllSends() }
    }

    @Test("what a stopped worker held is due again at its next start")
    func release() async throws {
        try await withStore { try await $0.givesBackWhatAStoppedWorkerHeld() }
    }

    @Test("what a worker holds stays held when a user among it is deleted")
    func releaseBesideDeletion() async throws {
        try await withStore { try await $0.keepsWhatIsHeldBesideADeletedUser() }
    }

    @Test("what others hold among its rows stays theirs, and what has its outcome keeps it")
    func releaseAmongOthers() async throws {
        try await withStore { try await $0.givesBackOnlyWhatTheWorkerHolds() }
    }

    @Test("outcomes are recorded, retries wait, and the last outcome finishes the send")
    func outcomes() async throws {
        try await withStore { try await $0.recordsOutcomesAndFinishes() }
    }

    @Test("a small send gets its share beside a large one")
    func fairness() async throws {
        try await withStore { try await $0.sharesTheWorkersBetweenSends() }
    }

    @Test("what a small send does not need is shared by the large ones")
    func unusedShares() async throws {
        try await withStore { try await $0.sharesWhatSmallSendsLeave() }
    }

    @Test("where there is room for one row, another send is first each time")
    func turns() async throws {
        try await withStore { try await $0.beginsWithAnotherSendEachTime() }
    }

    @Test("a stopped send hands nothing more to workers, and what they have is recorded")
    func stopping() async throws { try await withStore { try await $0.stopsWhatNoWorkerHas() } }

    @Test("a send begins at its time, and can be stopped once")
    func schedule() async throws { try await withStore { try await $0.waitsForTheTimeOfASend() } }

    @Test("the names of events are listed page by page, each workspace its own")
    func eventNames() async throws { try await withStore { try await $0.listsTheNamesOfEvents() } }

    @Test("a send can be changed until it begins")
    func rescheduling() async throws {
        try await withStore { try await $0.changesASendThatWaits() }
    }

    @Test("a fixed list of recipients grows page by page, and goes when it is not fixed any more")
    func recipientLists() async throws {
        try await withStore { try await $0.listsRecipientsPageByPage() }
    }

    @Test("what is written down of a send is there exactly when the change is")
    func notesOfSends() async throws {
        try await withStore { try await $0.notesWhatBecomesOfASend() }
    }

    @Test("receipts and opens count once for each device, and only from that device")
    func interactions() async throws {
        try await withStore { try await $0.countsInteractionsOfTheDeviceThatGotThePush() }
    }

    @Test("a workspace's limit of pushes a minute holds for all workers together")
    func workspaceLimit() async throws {
        try await withStore { try await $0.keepsToTheWorkspacesLimit() }
    }

    @Test("a send's own limit slows down nobody else")
    func sendLimit() async throws { try await withStore { try await $0.keepsToTheSendsLimit() } }

    @Test("the rows of a closed lane wait, those of others go on")
    func lanes() async throws { try await withStore { try await $0.takesNothingInAClosedLane() } }

    @Test("closed lanes are there for people to see until the process starts anew")
    func trippedLanes() async throws {
        try await withStore { try await $0.keepsClosedLanesForPeopleToSee() }
    }

    @Test("a paused send hands nothing out until it goes on")
    func pause() async throws { try await withStore { try await $0.haltsAndGoesOn() } }

    @Test("the first final outcome counts, also of a worker whose lease has ended")
    func lateOutcome() async throws { try await withStore { try await $0.believesALateOutcome() } }

    @Test("two outcomes of one dispatch are recorded in their order, also together")
    func twoOutcomes() async throws {
        try await withStore { try await $0.recordsTwoOutcomesOfADispatchAtOnce() }
    }

    @Test("the kept counts are what the rows say, whatever happens to a send")
    func keptCounts() async throws { try await withStore { try await $0.countsWhatTheRowsSay() } }

    @Test("waiting for a provider is no attempt")
    func postponed() async throws {
        try await withStore { try await $0.countsNoAttemptWhenAPushIsPostponed() }
    }

    @Test("a dead token is retired, the one that came after it is not")
    func deadToken() async throws {
        try await withStore { try await $0.retiresOnlyTheTokenThatIsDead() }
    }

    @Test("what comes back to a stopped send is not tried again")
    func stoppedRetry() async throws {
        try await withStore { try await $0.skipsWhatComesBackAfterAStop() }
    }

    @Test("nothing of a deleted user is left, and the ledger keeps its counts")
    func deletion() async throws {
        try await withStore { try await $0.deletesEverythingOfAUser() }
    }

    @Test("the number of a deleted user or device is never given to another one")
    func numbers() async throws { try await withStore { try await $0.neverReusesANumber() } }

    @Test("a merged user's data, devices and names move to the user who stays")
    func merging() async throws { try await withStore { try await $0.mergesUsers() } }

    @Test("a nameless user gets a name, or joins the user who has it")
    func identifying() async throws { try await withStore { try await $0.identifiesUsers() } }

    @Test("what somebody got stays theirs, whoever has the phone, merges or is deleted")
    func persons() async throws {
        try await withStore { try await $0.keepsHistoryWithThePerson() }
    }

    @Test("what a nameless user did in earlier batches is that of the new name")
    func earlierBatches() async throws {
        try await withStore { try await $0.keepsTheAnonymousPastOfAnEarlierBatch() }
    }

    @Test("a sign-up keeps the anonymous past in whatever order its batches come")
    func signUpOrders() async throws {
        try await withStore { try await $0.keepsTheAnonymousPastInAnyOrder() }
    }

    @Test("of three people with one phone the one in the middle keeps the anonymous past")
    func somebodyInBetween() async throws {
        try await withStore { try await $0.keepsTheAnonymousPastOfSomebodyInBetween() }
    }

    @Test("a nameless user whose name is taken stays, and the next one of the device is another")
    func takenName() async throws {
        try await withStore { try await $0.leavesANamelessUserWhoseNameIsTaken() }
    }

    @Test("whoever is merged has been here since the earlier one came")
    func mergedBeginnings() async throws {
        try await withStore { try await $0.keepsTheEarlierBeginningOfAMerge() }
    }

    @Test("a merge keeps every subscription, consent, installation and waiting push")
    func mergedConsents() async throws {
        try await withStore { try await $0.mergesConsentsAndInstallations() }
    }

    @Test("an alias belongs to one user and can be renamed")
    func aliases() async throws { try await withStore { try await $0.keepsAliasesUnique() } }

    @Test("a renamed identifier finds the user until it is removed")
    func renaming() async throws { try await withStore { try await $0.renamesExternalIDs() } }

    @Test("a user's record has the aliases, devices and counts of what happened")
    func userRecord() async throws { try await withStore { try await $0.recordsWhatIsKnown() } }

    @Test("content blocks have one name each in a workspace, and are found by name and id")
    func contentBlocks() async throws { try await withStore { try await $0.keepsContentBlocks() } }

    @Test("content blocks are listed by their last change")
    func contentBlockList() async throws {
        try await withStore { try await $0.listsContentBlocks() }
    }

    @Test("items of a catalog are added, replaced and edited, all of a request or none")
    func catalogs() async throws { try await withStore { try await $0.keepsCatalogs() } }

    @Test("a catalog's field that is removed takes its values along, unless a selection needs it")
    func catalogFields() async throws {
        try await withStore { try await $0.keepsCatalogFields() }
    }

    @Test("selections belong to a catalog, as many as it may have")
    func catalogSelections() async throws {
        try await withStore { try await $0.keepsCatalogSelections() }
    }

    @Test("members are found by address and by what another system calls them")
    func directory() async throws {
        try await withStore { try await $0.keepsTheDirectoryOfMembers() }
    }

    @Test("sessions of who may not sign in end; the last administrator stays one")
    func endedSessions() async throws {
        try await withStore { try await $0.endsSessionsOfWhoMayNotSignIn() }
    }

    @Test("what a member is in one workspace says nothing about another")
    func memberships() async throws {
        try await withStore {
            try await $0.keepsMembershipsApart()
            try await $0.switchesSessionsBetweenWorkspaces()
            try await $0.tellsWhoseAccountsAre()
            try await $0.createsWorkspaces()
        }
    }

    @Test("an app's keys are changed only as they were read")
    func changedAuthentication() async throws {
        try await withStore { try await $0.changesAuthenticationThatNobodyElseHasChanged() }
    }

    @Test("one sync of an integration runs at a time, and some of the old ones are remembered")
    func syncJobs() async throws {
        try await withStore { try await $0.runsOneSyncJobOfAnIntegration() }
    }

    @Test("a secret belongs to a name in a workspace")
    func secrets() async throws { try await withStore { try await $0.keepsSecrets() } }

    @Test("a session soon after a push is an influenced open, unless the push was tapped")
    func influenced() async throws {
        try await withStore { try await $0.countsASessionSoonAfterAPushAsInfluenced() }
    }

    @Test("opens of a push story are counted by the page of the first tap")
    func storyPages() async throws {
        try await withStore { try await $0.countsOpensByPage() }
    }

    @Test("a send's dispatches are listed by what became of them, whole or in pages")
    func dispatchLists() async throws {
        try await withStore { try await $0.listsWhatBecameOfASend() }
    }

    @Test("an influenced open is the same in whatever order receipt and session are told")
    func influencedInAnyOrder() async throws {
        try await withStore { try await $0.countsInfluencedOpensInAnyOrder() }
    }

    @Test("an influenced open is of a person: on any device, once, and of nobody else")
    func influencedPerson() async throws {
        try await withStore { try await $0.countsInfluencedOpensOfAnyDevice() }
    }

    @Test("where no receipt can come, acceptance stands for it")
    func influencedWithoutReceipt() async throws {
        try await withStore { try await $0.countsInfluencedOpensWithoutReceipts() }
    }

    @Test("a push that comes at the moment of a session has come before it")
    func opensAtOnce() async throws {
        try await withStore { try await $0.countsASessionAtTheMomentOfAPush() }
    }

    @Test("a late session changes what later ones were influenced by")
    func lateSession() async throws {
        try await withStore { try await $0.countsLateSessionsAmongTheOthers() }
    }

    @Test("news are kept as they were written, in their workspace")
    func news() async throws { try await withStore { try await $0.keepsNewsAsWritten() } }

    @Test("news are listed by the state that follows from their times")
    func newsStates() async throws { try await withStore { try await $0.listsNewsByItsState() } }

    @Test("a reader of news counts once, also after a merge")
    func newsReads() async throws { try await withStore { try await $0.countsEveryReaderOnce() } }

    @Test("a blocked event or attribute is refused with its name, the rest counts")
    func blocking() async throws { try await withStore { try await $0.refusesBlockedNames() } }

    @Test("events and attributes are listed with their last time, types and block")
    func eventCatalog() async throws {
        try await withStore { try await $0.listsEventsAndAttributes() }
    }

    @Test("the audit log is kept in order and found by author, origin, text and time")
    func audit() async throws { try await withStore { try await $0.keepsTheAuditLog() } }
}

@Suite("The SQLite file")
struct SQLiteFileTests {
    @Test("a file that is no database is refused with its path and what to check")
    func damaged() throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(repeating: 0x41, count: 8192).write(to: URL(filePath: path))
        let error = #expect(throws: StoreError.self) { try SQLStore(path: path) }
        #expect(error?.description.contains(path) == true)
    }

    @Test("users of a file are refused where an identifier is taken, and nobody is stored")
    func takenIdentifier() async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore(path: path)
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        let workspace = try await store.createWorkspace(name: "Tea", timeZone: "UTC", now: now)
        func profiles(_ names: String...) -> [Profile] {
            names.map {
                Profile(
                    id: ProfileID(0),
                    workspace: workspace,
                    publicID: UUID(),
                    externalID: $0,
                    anonymousID: nil,
                    createdAt: now
                )
            }
        }
        #expect(try await store.insert(profiles("ada")).count == 1)
        let error = await #expect(throws: StoreError.self) {
            try await store.insert(profiles("bob", "ada"))
        }
        #expect(error?.code == .exists)
        #expect(try await store.userCounts(in: workspace).users == 1)
    }

    @Test("what is not there cannot be changed or removed, and is in no log")
    func nothingThere() async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore(path: path)
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        let workspace = try await store.createWorkspace(name: "Tea", timeZone: "UTC", now: now)
        let record = AuditRecord(
            at: now,
            origin: .console,
            author: "Ada",
            action: "changed",
            subject: "Tea"
        )
        let id = UUID()
        let message = InAppMessageDefinition(
            id: id,
            workspace: workspace,
            name: "Tea",
            state: .draft,
            message: InAppMessage(
                id: id.uuidString.lowercased(),
                kind: .modal,
                message: "Tea?",
                rules: InAppMessageRules(triggers: [.sessionStart])
            ),
            createdAt: now,
            updatedAt: now
        )
        #expect(
            try await !store.updateInAppMessage(message, from: .direct, noting: record)
        )
        #expect(try await !store.deleteReport(UUID(), in: workspace, noting: record))
        #expect(try await store.audit(in: workspace, matching: AuditQuery()).records.isEmpty)
    }

    @Test("what was committed is there after the file is opened again")
    func reopening() async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        _ = try await SQLStore(path: path).createWorkspace(
            name: "Tea",
            timeZone: "UTC",
            now: now
        )
        let names = try await SQLStore(path: path).workspaces().map(\.name)
        #expect(names == ["Tea"])
    }
}
