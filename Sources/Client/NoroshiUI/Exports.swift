// An app imports `NoroshiUI` and has the SDK's types with it.
@_exported import Noroshi
@_exported import NoroshiExtensions
