import Model
import Testing

@testable import StoreSQL

@Suite("Users of recently used ids are remembered")
struct IdentityCacheTests {
    @Test("in two generations, of which the older one is forgotten when the newer one is full")
    func generations() {
        let cache = IdentityCache(generationLimit: 2)
        let workspace = WorkspaceID(1)
        func add(_ names: String...) {
            var found: [IdentityCache.Key: ProfileID] = [:]
            for (index, name) in names.enumerated() {
                found[.init(workspace: workspace, externalID: name)] = ProfileID(Int64(index))
            }
            cache.add(found)
        }
        func known(_ names: String...) -> [Bool] {
            names.map { cache.profile($0, in: workspace) != nil }
        }
        add("ada")
        add("bob")
        add("eve")
        #expect(known("ada", "bob", "eve") == [true, true, true])
        add("zoe")
        #expect(known("ada", "bob", "eve", "zoe") == [true, true, true, true])
        add("kim")
        #expect(known("ada", "bob", "eve", "zoe", "kim") == [false, false, true, true, true])
        cache.removeAll()
        #expect(known("eve", "zoe", "kim") == [false, false, false])
    }
}
