// swift 5: cannot find 'NoroshiDependencies' in scope
// swift 6: cannot find 'NoroshiDependencies' in scope
import Noroshi

// What only tests replace is no part of the API.
func make() -> Noroshi {
    Noroshi(configuration: .init(apiKey: "key", endpoint: "example.com"))
}

let dependencies = NoroshiDependencies()
