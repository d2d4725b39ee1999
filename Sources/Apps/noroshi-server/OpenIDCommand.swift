import Accounts
import ArgumentParser
import Foundation
import Model
import Server

/// The provider with which a workspace's members sign in.
struct OpenIDCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "oidc",
        abstract: "Sign-in to the console with an OpenID Connect provider.",
        subcommands: [
            Set.self, Show.self, Try.self, Remove.self, Bind.self, Release.self,
        ]
    )

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sets the provider up, or changes it; what is not given stays.",
            discussion: """
                Register a web application at the provider first, with the redirect URI that \
                `oidc show` prints. With --no-only-way passwords and passkeys open the workspace \
                again when the provider does not.
                """
        )

        @OptionGroup var options: WorkspaceOptions
        @Option(help: "What the button of the login page says.")
        var name: String?
        @Option(help: "The provider's issuer, exactly as the provider writes it.")
        var issuer: String?
        @Option(help: "The client ID that the provider has given.")
        var clientID: String?
        @Option(help: "A file with the client secret in its first line; - is standard input.")
        var secretFile: String?
        @Flag(
            inversion: .prefixedNo,
            help: "Whether members sign in with the provider only, without passwords and passkeys."
        )
        var onlyWay: Bool?
        @Flag(
            inversion: .prefixedNo,
            help: "Whether a sign-in with the provider needs no second factor here."
        )
        var secondFactor: Bool?
        @Option(
            parsing: .upToNextOption,
            help: "Domains of verified e-mail addresses whose people become members."
        )
        var domains: [String] = []
        @Flag(help: "Nobody becomes a member by signing in.")
        var noDomains = false
        @Option(help: "The role of those who do: viewer, marketer or administrator.")
        var newcomerRole: String?

        func run() async throws {
            let opened = try await options.openExisting()
            let providers = try await opened.openIDProviders()
            let former = try await providers.provider(of: opened.id)
            var draft =
                former.map(OpenIDProviderService.Draft.init)
                ?? OpenIDProviderService.Draft()
            draft.name = name ?? draft.name
            draft.issuer = issuer ?? draft.issuer
            draft.clientID = clientID ?? draft.clientID
            draft.secret = try secretFile.map(Self.secret) ?? ""
            draft.isOnlyWay = onlyWay ?? draft.isOnlyWay
            draft.isSecondFactor = secondFactor ?? draft.isSecondFactor
            if noDomains || !domains.isEmpty { draft.domains = domains }
            if let newcomerRole {
                guard let role = Member.Role(rawValue: newcomerRole) else {
                    throw ValidationError("--newcomer-role is viewer, marketer or administrator")
                }
                draft.newcomerRole = role
            }
            do {
                let saved = try await providers.save(draft, by: opened.actor)
                print("Members of '\(opened.name)' can sign in with \(saved.name).")
            } catch let error as Model.ValidationError {
                throw ValidationError(
                    error.problems.map { "\($0.field): \($0.message)" }.joined(separator: "; ")
                )
            }
        }

        private static func secret(_ path: String) throws -> String {
            let line: Substring?
            if path == "-" {
                line = readLine().map { $0[...] }
            } else {
                guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
                    throw ValidationError("--secret-file names \(path), which cannot be read")
                }
                line = text.split(whereSeparator: \.isNewline).first
            }
            let secret = (line ?? "").trimmingCharacters(in: .whitespaces)
            guard !secret.isEmpty else {
                throw ValidationError("--secret-file holds no secret in its first line")
            }
            return secret
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the provider, without its secret, and the redirect URI's path."
        )

        @OptionGroup var options: WorkspaceOptions

        func run() async throws {
            let opened = try await options.openExisting()
            print("redirect URI: …/console/login/openid/\(opened.id)/return")
            guard let provider = try await opened.openIDProviders().provider(of: opened.id) else {
                print("There is no provider.")
                return
            }
            print("name: \(provider.name)")
            print("issuer: \(provider.issuer)")
            print("client ID: \(provider.clientID)")
            print("only way: \(provider.isOnlyWay ? "yes" : "no")")
            print("stands for the second factor: \(provider.isSecondFactor ? "yes" : "no")")
            let domains = provider.domains.joined(separator: " ")
            print("become members: \(domains.isEmpty ? "nobody" : domains)")
            print("their role: \(provider.newcomerRole.rawValue)")
        }
    }

    struct Try: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Reads what the provider publishes, and says what is wrong."
        )

        @OptionGroup var options: WorkspaceOptions
        @Option(help: "Another issuer than the one that is set up.")
        var issuer: String?

        func run() async throws {
            let opened = try await options.openExisting()
            let web = opened.openIDWeb
            let providers = try await opened.openIDProviders(web)
            let stored = try await providers.provider(of: opened.id)?.issuer
            guard let issuer = issuer ?? stored else {
                throw ValidationError("there is no provider; name an issuer with --issuer")
            }
            let result: Result<OpenIDProviderService.Findings, any Error>
            do {
                result = .success(try await providers.look(at: issuer, by: opened.actor))
            } catch {
                result = .failure(error)
            }
            await web.shutDown()
            do {
                let found = try result.get()
                print("sign-in at \(found.metadata.authorizationEndpoint)")
                print("client authentication: \(found.metadata.clientAuthentication.rawValue)")
                print("usable keys: \(found.keys)")
            } catch let flaw as OpenIDError {
                throw ValidationError("\(flaw)")
            } catch let error as Model.ValidationError {
                throw ValidationError("--issuer \(error.problems[0].message)")
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes the provider; passwords and passkeys open the workspace then."
        )

        @OptionGroup var options: WorkspaceOptions

        func run() async throws {
            let opened = try await options.openExisting()
            guard try await opened.openIDProviders().remove(by: opened.actor) else {
                throw ValidationError("there is no provider")
            }
            print("The provider of '\(opened.name)' is removed.")
        }
    }

    struct Bind: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says which person at the provider a member is.",
            discussion: """
                Members are found by an e-mail address that the provider has verified. Where it \
                does not say so, as Entra ID does not, name the person's subject (the claim sub).
                """
        )

        @OptionGroup var options: NamedMemberOptions
        @Option(help: "The person's subject at the provider.")
        var subject: String

        func run() async throws {
            let (opened, member) = try await options.open()
            do {
                try await opened.openIDProviders().bind(
                    subject,
                    to: member.id,
                    by: opened.actor
                )
                print("\(member.email) is \(subject) at the provider.")
            } catch let error as Model.ValidationError {
                throw ValidationError("--subject \(error.problems[0].message)")
            } catch let refusal as RefusalError {
                throw ValidationError("\(refusal)")
            }
        }
    }

    struct Release: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Releases a member from the person at the provider, and ends all sign-ins."
        )

        @OptionGroup var options: NamedMemberOptions

        func run() async throws {
            let (opened, member) = try await options.open()
            guard
                try await opened.openIDProviders().release(member.id, by: opened.actor)
            else { throw ValidationError("\(member.email) is nobody at a provider") }
            print("\(member.email) is released.")
        }
    }
}
