// An extension imports `NoroshiExtensions` alone, which links only this part of the SDK.
@_exported import NoroshiOutbox
